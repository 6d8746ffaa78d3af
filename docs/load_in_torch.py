"""A Narikin model file (docs/model-format.md) as a plain PyTorch module; needs torch only.

usage: python load_in_torch.py MODEL.safetensors

Net takes the planes of docs/encoding.md, boards [N, 62, 9, 9] and hands [N, 57], and gives logits of
moves [N, 2187] and the chances of win, draw and loss [N, 3]. load_in_torch_all.py knows all parts.
"""
import json, struct, sys
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv1, self.conv2 = (nn.Conv2d(channels, channels, 3, padding=1, bias=False) for _ in range(2))
        self.bn1, self.bn2 = nn.BatchNorm2d(channels), nn.BatchNorm2d(channels)
    def forward(self, x):
        return torch.relu(x + self.bn2(self.conv2(torch.relu(self.bn1(self.conv1(x))))))

class Net(nn.Module):
    def __init__(self, blocks, channels, value_channels, value_hidden):
        super().__init__()
        self.stem = nn.ModuleDict({
            "board": nn.Conv2d(62, channels, 3, padding=1, bias=False),
            "hands": nn.Conv2d(57, channels, 1, bias=False), "bn": nn.BatchNorm2d(channels)})
        self.blocks = nn.Sequential(*(Block(channels) for _ in range(blocks)))
        # A bias for each move, not for each plane of moves.
        self.policy = nn.ParameterDict({"weight": torch.zeros(27, channels, 1, 1), "bias": torch.zeros(2187)})
        self.value = nn.ModuleDict({
            "conv": nn.Conv2d(channels, value_channels, 1, bias=False), "bn": nn.BatchNorm2d(value_channels),
            "fc1": nn.Linear(81 * value_channels, value_hidden), "fc2": nn.Linear(value_hidden, 3)})
    def logits(self, boards, hands):
        stem, policy, value = self.stem, self.policy, self.value
        x = self.blocks(torch.relu(stem.bn(stem.board(boards) + stem.hands(hands[:, :, None, None]))))
        moves = nn.functional.conv2d(x, policy.weight).flatten(1) + policy.bias
        hidden = torch.relu(value.fc1(torch.relu(value.bn(value.conv(x))).flatten(1)))
        return moves, value.fc2(hidden)
    def forward(self, boards, hands):
        moves, wdl = self.logits(boards, hands)
        return moves, wdl.softmax(1)

def load(path):
    """The net in evaluation mode, and its manifest."""
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = bytearray(file.read())
    manifest = json.loads(header.pop("__metadata__")["narikin"])
    if manifest["format"] != 1:
        raise ValueError(f"{path} has format {manifest['format']}, expected 1: load_in_torch_all.py reads the others")
    net = Net(**manifest["shape"])
    # PyTorch counts batches, too, which nothing needs.
    tensors = {name: value for name, value in net.state_dict().items() if name.endswith("num_batches_tracked")}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        tensors[name] = torch.frombuffer(data[begin:end], dtype=torch.float32).reshape(entry["shape"])
    net.load_state_dict(tensors)
    return net.eval(), manifest

if __name__ == "__main__":
    print(*load(sys.argv[1]), sep="\n")
