"use strict";
// Pieces: letters as in SFEN, upper case Black's; "+" before a promoted one.
const KANJI = {
  P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛", K: "玉",
  "+P": "と", "+L": "杏", "+N": "圭", "+S": "全", "+B": "馬", "+R": "龍",
};
const SIDES = { black: "▲", white: "△" };

// A position: cells by file and rank ("7g"), hands by letter, whose turn it is.
function positionOf(sfen) {
  const [board, side, hand] = sfen.split(" ");
  const position = { cells: {}, hands: {}, black: side === "b" };
  board.split("/").forEach((row, rank) => {
    let file = 9;
    for (const [token] of row.matchAll(/\d|\+?[A-Za-z]/g)) {
      if (/\d/.test(token)) { file -= Number(token); continue; }
      position.cells[file + "abcdefghi"[rank]] = token;
      file -= 1;
    }
  });
  for (const [, count, piece] of (hand || "-").matchAll(/(\d*)([A-Za-z])/g)) {
    position.hands[piece] = Number(count || 1);
  }
  return position;
}

function play(position, move) {
  const toHand = (piece) => {
    const letter = piece.replace("+", "");
    const owned = position.black ? letter.toUpperCase() : letter.toLowerCase();
    position.hands[owned] = (position.hands[owned] || 0) + 1;
  };
  const to = move.slice(2, 4);
  if (move[1] === "*") {
    const piece = position.black ? move[0] : move[0].toLowerCase();
    position.hands[piece] -= 1;
    position.cells[to] = piece;
  } else {
    const from = move.slice(0, 2);
    if (position.cells[to]) toHand(position.cells[to]);
    position.cells[to] = (move[4] === "+" ? "+" : "") + position.cells[from];
    delete position.cells[from];
  }
  position.black = !position.black;
}

function draw(position, last) {
  const size = 44, left = 12, top = 46, parts = [];
  const square = (name) => [left + (9 - Number(name[0])) * size, top + "abcdefghi".indexOf(name[1]) * size];
  if (last) {
    const [x, y] = square(last.slice(2, 4));
    parts.push(`<rect class="last" x="${x}" y="${y}" width="${size}" height="${size}"/>`);
  }
  for (let i = 0; i <= 9; i += 1) {
    const at = i * size;
    parts.push(`<path class="grid" d="M${left + at} ${top}v${9 * size}M${left} ${top + at}h${9 * size}"/>`);
  }
  for (const [name, token] of Object.entries(position.cells)) {
    const [x, y] = square(name), white = token === token.toLowerCase();
    const cx = x + size / 2, cy = y + size / 2;
    const turn = white ? ` transform="rotate(180 ${cx} ${cy})"` : "";
    const style = token[0] === "+" ? ' class="promoted"' : "";
    parts.push(`<text x="${cx}" y="${cy}"${turn}${style}>${KANJI[token.toUpperCase()]}</text>`);
  }
  const hand = (white) => [..."RBGSNLP"]
    .map((letter) => [letter, position.hands[white ? letter.toLowerCase() : letter] || 0])
    .filter(([, count]) => count > 0)
    .map(([letter, count]) => KANJI[letter] + (count > 1 ? count : "")).join(" ");
  const middle = left + 4.5 * size;
  parts.push(`<text class="hand" x="${middle}" y="24">${SIDES.white} ${hand(true)}</text>`);
  parts.push(`<text class="hand" x="${middle}" y="${top + 9 * size + 24}">${SIDES.black} ${hand(false)}</text>`);
  return `<svg id="board" viewBox="0 0 ${2 * left + 9 * size} ${top + 9 * size + 46}">${parts.join("")}</svg>`;
}

// What the search thought before a move: its expected score for Black, and its policy.
function thought(game, moves, ply) {
  const thoughts = game.thoughts || [];
  const now = thoughts[ply - game.opening];
  if (!now) return "";
  const percent = (share) => (100 * share).toFixed(1) + " %";
  const value = now.black === null ? "" : `<p>Black expects ${percent(now.black)}</p>`;
  const most = Math.max(0.01, ...now.policy.map(([, share]) => share));
  const rows = now.policy.map(([move, share]) =>
    `<tr class="${move === moves[ply] ? "played" : ""}"><td>${move}</td><td>${percent(share)}</td>` +
    `<td><span class="bar" style="width:${(8 * share / most).toFixed(2)}rem"></span></td></tr>`);
  return `<div class="thought">${value}<table>${rows.join("")}</table></div>`;
}

// The line of a game: scores from Black's view, steep around even, or expected scores as they are.
function heights(game) {
  if (game.thoughts) return game.thoughts.map((one) => (one.black === null ? null : 2 * one.black - 1));
  return game.scores.map((score) => (score === null ? null : Math.tanh(score / 1500)));
}

// That line as a picture.
function graph(game, moves, ply) {
  const width = 560, height = 110, middle = height / 2;
  const x = (n) => (moves.length ? (n / moves.length) * width : 0);
  const y = (height) => middle - height * (middle - 6);
  let path = "", pen = "M";
  heights(game).forEach((score, i) => {
    if (score === null) return;
    path += `${pen}${x(game.opening + i).toFixed(1)} ${y(score).toFixed(1)}`;
    pen = "L";
  });
  return `<svg viewBox="0 0 ${width} ${height}" width="100%"><path class="axis" d="M0 ${middle}H${width}M${x(ply)} 0V${height}"/>` +
    `<path class="curve" d="${path}"/></svg>`;
}

(() => {
  const viewer = document.getElementById("viewer");
  const text = (value) => { const node = document.createElement("span"); node.textContent = value; return node.innerHTML; };
  const names = GAMES.map((game, i) => `<option value="${i}">${i + 1}. ${text(game.black)} – ${text(game.white)}: ${text(game.result)}</option>`);
  viewer.innerHTML = `<div id="picture"></div><div><select aria-label="game">${names.join("")}</select>
    <div class="keys"><button>|&lt;</button><button>&lt;</button><button>&gt;</button><button>&gt;|</button></div>
    <input type="range" min="0" value="0" aria-label="ply"><p class="words"></p><div id="scores"></div><div id="thought"></div></div>`;
  const [select, slider, words] = ["select", "input", ".words"].map((name) => viewer.querySelector(name));
  let game, moves, ply;
  const show = (wanted) => {
    ply = Math.max(0, Math.min(moves.length, wanted));
    const position = positionOf(game.start);
    moves.slice(0, ply).forEach((move) => play(position, move));
    document.getElementById("picture").innerHTML = draw(position, moves[ply - 1]);
    document.getElementById("scores").innerHTML = heights(game).some((height) => height !== null) ? graph(game, moves, ply) : "";
    document.getElementById("thought").innerHTML = thought(game, moves, ply);
    const score = game.scores[ply - 1 - game.opening];
    words.textContent = `${SIDES.black} ${game.black}   ${SIDES.white} ${game.white}   ply ${ply} of ${moves.length}` +
      (ply ? `   ${moves[ply - 1]}` : "") + (score === null || score === undefined ? "" : `   ${(score / 100).toFixed(2)}`) +
      (ply === moves.length ? `   ${game.result}` : "");
    slider.value = ply;
  };
  const open = (index) => {
    game = GAMES[index];
    moves = game.moves ? game.moves.split(" ") : [];
    slider.max = moves.length;
    show(Math.min(moves.length, game.opening));
  };
  select.addEventListener("change", () => open(Number(select.value)));
  slider.addEventListener("input", () => show(Number(slider.value)));
  const steps = [() => 0, () => ply - 1, () => ply + 1, () => moves.length];
  viewer.querySelectorAll("button").forEach((button, i) => button.addEventListener("click", () => show(steps[i]())));
  open(0);
})();
