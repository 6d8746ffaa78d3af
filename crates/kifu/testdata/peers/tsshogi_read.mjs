// Reads record files with tsshogi (the module in NARIKIN_TSSHOGI): a line for each of FORMAT FILE
// on standard input. Prints start, moves, ending, and the number of nodes, with tabs between.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = process.env.NARIKIN_TSSHOGI;
const { importCSA, importKIF, importKI2 } = await import(
  pathToFileURL(`${folder}/dist/esm/index.mjs`)
);
const readers = { csa: importCSA, kif: importKIF, ki2: importKI2 };

for (const line of readFileSync(0, "utf-8").trimEnd().split("\n")) {
  const [format, path] = line.split(" ");
  const record = readers[format](readFileSync(path, "utf-8"));
  if (record instanceof Error) {
    console.log(["error", record.name, record.message.replaceAll("\n", " "), ""].join("\t"));
    continue;
  }
  const moves = [];
  let ending = "";
  for (let node = record.first.next; node; node = node.next) {
    if (node.move.usi) {
      moves.push(node.move.usi);
    } else {
      ending = node.move.type;
    }
  }
  let nodes = 0;
  record.forEach(() => nodes++);
  console.log([record.initialPosition.sfen, moves.join(" "), ending, nodes].join("\t"));
}
