"""TRL's own trainer takes prompts and reward as they are: a few steps of a tiny model that knows nothing.

Its libraries take some 5 GB, so they are not among `requirements.txt`: `pip install torch trl` and run this file.
"""

import pytest

TOO_LARGE = "torch and TRL take some 5 GB; test_training.py calls the reward as TRL does"
torch = pytest.importorskip("torch", reason=TOO_LARGE)
pytest.importorskip("trl", reason=TOO_LARGE)

import storysim
from storysim import trl

STEPS = 3


@pytest.fixture(scope="module")
def data():
    return trl.prompts("sally-anne", 8, seed=3, with_events=True)


@pytest.fixture(scope="module")
def tokenizer(data):
    """One token for every word of the prompts."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    words = Tokenizer(models.WordLevel(unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    special = ["<unk>", "<pad>", "<end>"]
    texts = [prompt[0]["content"] for prompt in data["prompt"]]
    words.train_from_iterator(texts, trainers.WordLevelTrainer(special_tokens=special))
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=words, unk_token="<unk>", pad_token="<pad>", eos_token="<end>", padding_side="left"
    )
    tokenizer.chat_template = "{% for message in messages %}{{ message['content'] }} {% endfor %}"
    return tokenizer


def test_a_few_steps(data, tokenizer, tmp_path):
    from transformers import LlamaConfig, LlamaForCausalLM
    from trl import GRPOConfig, GRPOTrainer

    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 2}
    ids = {"pad_token_id": tokenizer.pad_token_id, "eos_token_id": tokenizer.eos_token_id, "bos_token_id": None}
    model = LlamaForCausalLM(LlamaConfig(vocab_size=len(tokenizer), **sizes, **heads, **ids))
    before = [weights.detach().clone() for weights in model.parameters()]
    arguments = GRPOConfig(
        output_dir=str(tmp_path),
        max_steps=STEPS,
        per_device_train_batch_size=4,
        num_generations=4,
        max_completion_length=24,
        learning_rate=1e-2,
        logging_steps=1,
        save_strategy="no",
        report_to=[],
        use_cpu=True,
        bf16=False,
        seed=0,
    )
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=[storysim.trl.reward(), storysim.trl.reward(evidence=0.5)],
        train_dataset=data,
        processing_class=tokenizer,
        args=arguments,
    )
    trainer.train()
    assert trainer.state.global_step == STEPS
    rewards = [log["reward"] for log in trainer.state.log_history if "reward" in log]
    assert len(rewards) == STEPS and all(0 <= reward <= 2 for reward in rewards)
    # A model that writes words at random names a choice now and then, and then some answers are better than others.
    assert any(reward > 0 for reward in rewards)
    assert any(not torch.equal(was, now) for was, now in zip(before, model.parameters(), strict=True))
