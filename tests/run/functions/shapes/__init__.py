"""What `imports.pyk` imports."""
from .consts import *
from .area import rectangle

DEPTH = WIDTH + 1
