#!/usr/bin/env python3
"""Narikin's training step beside a plain PyTorch loop of the same network, in turns in one run.

    scripts/setup --pytorch && . scripts/env.sh && cargo build --release
    $NARIKIN_TORCH_PYTHON benches/training.py

The loop is what one writes first: the network of docs/load_in_torch.py, the same losses, clipping and AdamW,
32 bits, on batches that lie in memory. Narikin (`narikin bench --learning`) reads and encodes its own batches
from records meanwhile. The third way is a loop with what PyTorch has to offer: channels last, autocast to
bfloat16, a fused optimizer. All begin with the same weights and batches: before the clock runs, their losses
must be the same.

Each figure is the median of the rounds, each ratio that of the rounds' own ratios. On a machine that others
use as well, look at the column of processor time.
"""
import argparse
import hashlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import torch
from torch import nn

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "docs"))
from load_in_torch import Net

# Arrays of a batch as `--batches-to` writes them, without the length of the batch.
ARRAYS = {"board": (62, 9, 9), "hands": (57,), "legal": (2187,), "policy": (2187,), "policy_weight": (), "wdl": (3,),
          "value_weight": ()}
WAYS = ["plain PyTorch, f32", "PyTorch, channels last, bf16", "narikin, f32", "narikin, bf16"]


class Loop:
    """A training loop in PyTorch."""

    def __init__(self, net, batches, tuned):
        self.net, self.tuned, self.turn = net.train(), tuned, 0
        self.batches = batches
        if tuned:
            self.net = self.net.to(memory_format=torch.channels_last)
            last = lambda batch: batch["board"].contiguous(memory_format=torch.channels_last)
            self.batches = [{**batch, "board": last(batch)} for batch in batches]
        parameters = list(self.net.parameters())
        self.optimizer = torch.optim.AdamW([
            {"params": [p for p in parameters if p.dim() > 1], "weight_decay": 1e-4},
            {"params": [p for p in parameters if p.dim() == 1], "weight_decay": 0.0},
        ], lr=1e-3, fused=tuned)

    def step(self):
        batch = self.batches[self.turn % len(self.batches)]
        self.turn += 1
        with torch.autocast("cpu", torch.bfloat16, enabled=self.tuned):
            moves, wdl = self.net.logits(batch["board"], batch["hands"])
        moves = moves.float().masked_fill(batch["legal"] < 0.5, -1e9)
        loss = (mean(cross_entropy(batch["policy"], moves), batch["policy_weight"])
                + mean(cross_entropy(batch["wdl"], wdl.float()), batch["value_weight"]))
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimizer.step()
        return loss.item()

    def run(self, seconds):
        """Samples per second of the clock, and per second of processor time."""
        begun, cpu_begun, samples = time.perf_counter(), time.process_time(), 0
        while time.process_time() - cpu_begun < seconds:
            self.step()
            samples += len(self.batches[0]["hands"])
        return samples / (time.perf_counter() - begun), samples / (time.process_time() - cpu_begun)


def cross_entropy(target, logits):
    return -(target * logits.log_softmax(1)).sum(1)


def mean(rows, weights):
    return (rows * weights).sum() / weights.sum()


def narikin(program, *args):
    run = subprocess.run([program, *map(str, args)], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(run.stdout) if "--json" in args else None


def save(net, shape, path):
    """Writes a net as a model file."""
    manifest = {"format": 1, "encoding": 1, "shape": shape, "generation": 0, "steps": 0, "samples": 0, "games": 0,
                "name": "", "run": ""}
    header, data = {"__metadata__": {"narikin": json.dumps(manifest)}}, b""
    for name, tensor in net.state_dict().items():
        if not name.endswith("num_batches_tracked"):
            begin = len(data)
            data += bytes(tensor.contiguous().view(torch.uint8).flatten().tolist())
            header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [begin, len(data)]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def read_batches(path, size):
    """The batches that `--batches-to` wrote."""
    numbers = torch.frombuffer(bytearray(path.read_bytes()), dtype=torch.float32)
    batches = []
    while len(numbers):
        batch = {}
        for name, row in ARRAYS.items():
            n = size * torch.Size(row).numel()
            batch[name], numbers = numbers[:n].clone().reshape(size, *row), numbers[n:]
        batches.append(batch)
    return batches


def keep_memory():
    """Tells glibc what narikin tells it: freed memory is kept."""
    import ctypes
    libc = ctypes.CDLL(None)
    for setting, value in [(-3, 32 << 20), (-1, 2 ** 31 - 1), (-2, 64 << 20)]:
        libc.mallopt(setting, value)


def same_library():
    """Whether narikin's libtorch is this PyTorch's, byte for byte, as far as the environment tells."""
    digest = lambda folder: hashlib.file_digest(open(pathlib.Path(folder, "lib/libtorch_cpu.so"), "rb"), "sha256").digest()
    if "LIBTORCH" not in os.environ:
        return "PyTorch and narikin's libtorch were not compared (LIBTORCH is not set)"
    same = digest(os.environ["LIBTORCH"]) == digest(pathlib.Path(torch.__file__).parent)
    return "PyTorch's libtorch_cpu.so is narikin's" if same else "PyTorch's libtorch_cpu.so is ANOTHER build than narikin's"


def compare(args, games, folder, shape):
    """Prints the table of one shape."""
    model, batches_file = folder / "net.safetensors", folder / "batches"
    torch.manual_seed(1)
    save(Net(**shape), shape, model)
    bench = ["bench", "--learning", games, "--model", model, "--batch", args.batch, "--threads", args.threads,
             "--rounds", 1, "--json"]
    first = narikin(args.narikin, *bench, "--seconds", 0.1, "--batches-to", batches_file)
    batches = read_batches(batches_file, args.batch)

    def fresh():
        torch.manual_seed(1)
        return Net(**shape)
    loops = [Loop(fresh(), batches, tuned) for tuned in (False, True)]
    losses = [[loop.step() for _ in batches] for loop in loops] + [rate["first_losses"] for rate in first["rates"]]
    for way, found in zip(WAYS, losses):
        print(f"{way:<30} first losses", *(f"{loss:.4f}" for loss in found))
    # The first loss is a forward pass; rounding makes paths drift apart from then on.
    for way, found, tolerance in zip(WAYS[1:], losses[1:], (2e-2, 2e-3, 2e-2)):
        off = max(abs(a - b) / b for a, b in zip(found, losses[0]))
        if off > tolerance:
            sys.exit(f"{way} is not the same training: its losses are off by {off:.4f}")

    rounds, waiting = [], []
    for _ in range(args.rounds):
        turns = [loop.run(args.seconds) for loop in loops]
        ours = narikin(args.narikin, *bench, "--seconds", args.seconds)
        turns += [(rate["samples_per_s"], rate["samples_per_cpu_s"]) for rate in ours["rates"]]
        waiting.append([rate["waiting_share"] for rate in ours["rates"]])
        rounds.append(turns)
    print(f"{shape['blocks']} x {shape['channels']}, batches of {args.batch}, threads: {args.threads}")
    print(f"{'':<30}{'samples/s':>10}{'ratio':>7}{'by processor time':>22}{'ratio':>7}")
    for number, way in enumerate(WAYS):
        figures = []
        for kind in (0, 1):
            figures.append(statistics.median(turns[number][kind] for turns in rounds))
            figures.append(statistics.median(turns[number][kind] / turns[0][kind] for turns in rounds))
        print("{:<30}{:>10.0f}{:>7.2f}{:>22.0f}{:>7.2f}".format(way, *figures))
    shares = [statistics.median(share) for share in zip(*waiting)]
    print("narikin waits for batches {:.2%} (f32) and {:.2%} (bf16) of the time;".format(*shares),
          f"reading and encoding one takes {ours['draw_ms']:.1f} ms of processor time,",
          f"drawing one from the replay window {ours['window_draw_ms']:.1f} ms\n", flush=True)


def shape_of(text):
    blocks, channels = map(int, text.split("x"))
    return {"blocks": blocks, "channels": channels, "value_channels": 8, "value_hidden": 64}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--narikin", default=ROOT / "target/release/narikin", help="the program")
    parser.add_argument("--games", metavar="DIR", help="records to learn from (default: 100 new games of the net in models/)")
    parser.add_argument("--shape", action="append", type=shape_of, metavar="BLOCKSxCHANNELS", help="default: 5x64 and 4x32")
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--threads", type=int, default=1, help="within one operation (default: 1)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5.0, help="of processor time, of each turn")
    parser.add_argument("--keep-memory", action="store_true",
                        help="PyTorch, too, keeps the memory that it frees, as narikin does (glibc only)")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    if args.keep_memory:
        keep_memory()
    print(f"PyTorch {torch.__version__}; {same_library()}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        games = args.games
        if not games:
            games = folder / "games"
            narikin(args.narikin, "selfplay", "--model", ROOT / "models/quick-30min.safetensors", "--games", 100,
                    "--out", games)
        for shape in args.shape or [shape_of("5x64"), shape_of("4x32")]:
            compare(args, games, folder, shape)


if __name__ == "__main__":
    main()
