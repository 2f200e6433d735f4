"""The client that blocks. `network.py` is written by hand, the rest is made from `_async`."""
