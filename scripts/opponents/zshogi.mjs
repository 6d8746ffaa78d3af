// usage: node zshogi.mjs    (in a folder with node_modules/zshogi; scripts/setup --opponents makes one)
//
// The engine of the npm package zshogi as a USI program. The package is a WebAssembly module with
// one call, from a line of USI to the lines of the answer; it searches to its option DepthLimit,
// whatever `go` says, and cannot be interrupted. Here it gets standard input and output, `go mate`
// is refused as the protocol says, and answers to `go infinite` and `go ponder` wait.
import { createInterface } from "node:readline";
import { Engine } from "zshogi";

const engine = await Engine.init();
const say = (text) => {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length > 0) process.stdout.write(`${lines.join("\n")}\n`);
};

// A bestmove that waits for stop, ponderhit or the end of the game.
let waiting = "";
const release = () => {
  say(waiting);
  waiting = "";
};

const go = (words) => {
  if (words.includes("mate")) return say("checkmate notimplemented");
  const answer = engine.run("go");
  if (!words.includes("infinite") && !words.includes("ponder")) return say(answer);
  const cut = answer.lastIndexOf("bestmove");
  say(answer.slice(0, cut));
  waiting = answer.slice(cut);
};

for await (const line of createInterface({ input: process.stdin })) {
  const words = line.trim().split(/\s+/);
  if (words[0] === "quit") break;
  if (["stop", "ponderhit", "gameover"].includes(words[0])) release();
  else if (words[0] === "go") go(words);
  else if (words[0] !== "" && words[0] !== "usinewgame") say(engine.run(words.join(" ")));
}
process.exit(0);
