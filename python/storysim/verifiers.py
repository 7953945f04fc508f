"""An environment for `verifiers`, which this module imports.

    environment = storysim.verifiers.load_environment(storyboard="second-order-calibrated", count=1000)
"""

from __future__ import annotations

from typing import Any

import verifiers as vf

from storysim import trl
from storysim.prompts import INSTRUCTION


def load_environment(
    storyboard: Any = "second-order-calibrated",
    count: int | None = 1000,
    *,
    evidence: float = 0.0,
    instruction: str = INSTRUCTION,
    **options: Any,
) -> vf.Environment:
    """An environment in which a model answers one row at a time, rewarded as by `storysim.trl.reward(evidence=…)`."""
    reward = trl.reward(evidence=evidence)

    def right_answer(completion: Any, info: dict[str, Any], **_: Any) -> float:
        return reward([completion], [info["row"]])[0]

    with_events = options.pop("with_events", False) or evidence > 0
    data = trl.prompts(storyboard, count, instruction=instruction, with_events=with_events, **options)
    data = data.map(lambda item: {"info": {"row": item["row"]}}, remove_columns=["row"])
    return vf.SingleTurnEnv(dataset=data, rubric=vf.Rubric(funcs=[right_answer]))
