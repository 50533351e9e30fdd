"""95 % confidence intervals."""

import math
from typing import Callable

Z = 1.959964


def share(count: int, total: int) -> tuple[float, float]:
    """Returns the interval of a share, `count` of `total` (Wilson, 1927)."""
    if total == 0:
        return 0.0, 1.0
    p = count / total
    center = (p + Z * Z / (2 * total)) / (1 + Z * Z / total)
    half = Z / (1 + Z * Z / total) * math.sqrt(p * (1 - p) / total + Z * Z / (4 * total * total))
    return 0.0 if count == 0 else max(0.0, center - half), 1.0 if count == total else min(1.0, center + half)


def rate(count: int, hours: float) -> tuple[float, float]:
    """Returns the interval of a rate per hour, `count` events in `hours` (exact Poisson limits; Garwood, 1936)."""
    low = 0.0 if count == 0 else _mean_where(lambda mean: _at_most(count - 1, mean) > 0.975)
    return low / hours, _mean_where(lambda mean: _at_most(count, mean) > 0.025) / hours


def _at_most(count: int, mean: float) -> float:
    return sum(math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(count + 1))


def _mean_where(is_below: Callable[[float], bool]) -> float:
    low, high = 1e-9, 1.0
    while is_below(high):
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return (low + high) / 2
