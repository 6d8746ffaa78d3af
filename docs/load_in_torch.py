"""A Narikin model file as a plain PyTorch module.

usage: python load_in_torch.py MODEL.safetensors

Needs torch only; docs/model-format.md describes the file. Net takes the planes of docs/encoding.md:
boards [N, 62, 9, 9] and hands [N, 57], and gives logits [N, 2187] and win, draw, loss [N, 3].
"""
import json, struct, sys
import torch
from torch import nn

class Stem(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.board = nn.Conv2d(62, channels, 3, padding=1, bias=False)
        self.hands = nn.Conv2d(57, channels, 1, bias=False)
        self.bn = nn.BatchNorm2d(channels)
    def forward(self, boards, hands):
        return torch.relu(self.bn(self.board(boards) + self.hands(hands[:, :, None, None])))

class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv1, self.conv2 = (nn.Conv2d(channels, channels, 3, padding=1, bias=False) for _ in range(2))
        self.bn1, self.bn2 = nn.BatchNorm2d(channels), nn.BatchNorm2d(channels)
    def forward(self, x):
        return torch.relu(x + self.bn2(self.conv2(torch.relu(self.bn1(self.conv1(x))))))

class Policy(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(27, channels, 1, 1))
        self.bias = nn.Parameter(torch.empty(2187))
    def forward(self, x):
        return nn.functional.conv2d(x, self.weight).flatten(1) + self.bias

class Value(nn.Module):
    def __init__(self, channels, planes, hidden):
        super().__init__()
        self.conv = nn.Conv2d(channels, planes, 1, bias=False)
        self.bn = nn.BatchNorm2d(planes)
        self.fc1, self.fc2 = nn.Linear(81 * planes, hidden), nn.Linear(hidden, 3)
    def forward(self, x):
        x = torch.relu(self.bn(self.conv(x))).flatten(1)
        return self.fc2(torch.relu(self.fc1(x))).softmax(1)

class Net(nn.Module):
    def __init__(self, blocks, channels, value_channels, value_hidden):
        super().__init__()
        self.stem = Stem(channels)
        self.blocks = nn.Sequential(*(Block(channels) for _ in range(blocks)))
        self.policy, self.value = Policy(channels), Value(channels, value_channels, value_hidden)
    def forward(self, boards, hands):
        x = self.blocks(self.stem(boards, hands))
        return self.policy(x), self.value(x)

def load(path):
    """The net in evaluation mode, and its manifest."""
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = bytearray(file.read())
    manifest = json.loads(header.pop("__metadata__")["narikin"])
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        tensors[name] = torch.frombuffer(data[begin:end], dtype=torch.float32).reshape(entry["shape"])
    net = Net(**manifest["shape"])
    # A counter of PyTorch's that the running statistics do not need.
    counters = [name for name in net.state_dict() if name.endswith("num_batches_tracked")]
    net.load_state_dict({**tensors, **{name: torch.tensor(0) for name in counters}})
    return net.eval(), manifest

if __name__ == "__main__":
    net, manifest = load(sys.argv[1])
    print(manifest)
    print(net)
