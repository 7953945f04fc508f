// Compares the rows that the WebAssembly library makes with those that the program prints.
//
//     node run.mjs LIBRARY.wasm STORYSIM

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [library, program] = process.argv.slice(2);
const SEED = 7;
const STORIES = 3;

const { instance } = await WebAssembly.instantiate(readFileSync(library), {});
const { boards, length, memory, name, rows } = instance.exports;
const text = (start) => new TextDecoder().decode(new Uint8Array(memory.buffer, start, length()));

const count = boards();
assert.ok(count > 10, `${count} storyboards`);
for (let board = 0; board < count; board++) {
  const called = text(name(board));
  const made = text(rows(board, BigInt(SEED), BigInt(STORIES)));
  const options = ["generate", called, "--quiet", "--seed", `${SEED}`, "--count", `${STORIES}`];
  const wanted = execFileSync(program, options, { encoding: "utf8", maxBuffer: 1 << 28 });
  assert.ok(wanted.length > 100, called);
  assert.equal(made, wanted, called);
}
console.log(`${count} storyboards have the same rows as WebAssembly`);
