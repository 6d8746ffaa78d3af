"""A Narikin model file with any of its optional parts as a PyTorch module.

usage: python load_in_torch_all.py MODEL.safetensors

For nets of plain blocks load_in_torch.py says the same in half the lines. Needs torch only;
docs/model-format.md describes the file. Net takes the planes of docs/encoding.md:
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

class Squeeze(nn.Module):
    def __init__(self, channels, units):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(channels, units), nn.Linear(units, channels)
    def forward(self, y):
        return y * self.fc2(torch.relu(self.fc1(y.mean((2, 3))))).sigmoid()[:, :, None, None]

class Block(nn.Module):
    def __init__(self, channels, squeezed, pooled):
        super().__init__()
        self.conv1, self.conv2 = (nn.Conv2d(channels, channels, 3, padding=1, bias=False) for _ in range(2))
        self.bn1, self.bn2 = nn.BatchNorm2d(channels), nn.BatchNorm2d(channels)
        self.pooled, self.pool = pooled, nn.Linear(2 * pooled, channels - pooled) if pooled else None
        self.se = Squeeze(channels, squeezed) if squeezed else nn.Identity()
    def forward(self, x):
        y = self.bn1(self.conv1(x))
        if self.pool:
            first = torch.relu(y[:, :self.pooled])
            added = self.pool(torch.cat([first.mean((2, 3)), first.amax((2, 3))], 1))[:, :, None, None]
            y = torch.cat([y[:, :self.pooled], y[:, self.pooled:] + added], 1)
        return torch.relu(x + self.se(self.bn2(self.conv2(torch.relu(y)))))

class Attention(nn.Module):
    def __init__(self, channels, heads):
        super().__init__()
        layers = [("qkv", "bn1", 1, 3), ("out", "bn2", 1, 1), ("fc1", "bn3", 1, 2), ("fc2", "bn4", 2, 1)]
        for conv, bn, before, after in layers:
            self.add_module(conv, nn.Conv2d(before * channels, after * channels, 1, bias=False))
            self.add_module(bn, nn.BatchNorm2d(after * channels))
        self.position = nn.Parameter(torch.empty(heads, 17, 17))
    def forward(self, x):
        q, k, v = self.bn1(self.qkv(x)).reshape(len(x), 3, len(self.position), -1, 81).unbind(1)
        file, rank = torch.arange(81) // 9, torch.arange(81) % 9
        distance = self.position[:, file - file[:, None] + 8, rank - rank[:, None] + 8]
        weights = (q.transpose(2, 3) @ k / q.shape[2] ** 0.5 + distance).softmax(3)
        seen = (v @ weights.transpose(2, 3)).reshape(x.shape)
        x = torch.relu(x + self.bn2(self.out(seen)))
        return torch.relu(x + self.bn4(self.fc2(torch.relu(self.bn3(self.fc1(x))))))

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
    def __init__(self, blocks, channels, value_channels, value_hidden, squeeze_ratio=0, pool_every=0,
                 pool_channels=0, attention_blocks=0, attention_heads=0):
        super().__init__()
        self.stem = Stem(channels)
        squeezed = channels // squeeze_ratio if squeeze_ratio else 0
        pools = lambda block: pool_every and (block + 1) % pool_every == 0
        self.blocks = nn.Sequential(*(
            Block(channels, squeezed, pool_channels if pools(block) else 0) for block in range(blocks)))
        self.attention = nn.Sequential(*(Attention(channels, attention_heads) for _ in range(attention_blocks)))
        self.policy, self.value = Policy(channels), Value(channels, value_channels, value_hidden)
    def forward(self, boards, hands):
        x = self.attention(self.blocks(self.stem(boards, hands)))
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
