"""What a learner of another library finds in calibrated rows without following minds.

    learners.py ROWS.jsonl LEARN TEST [--limits surface=0.03,target=0.03]

Learns from the first LEARN rows of a file with events and is tested on the next TEST. Prints, for each group of features, points
over chance. Exits with 1 if a group is over its limit. The features are read from rows alone and share nothing with storysim's.
"""

import json
import sys

import lightgbm
import numpy

# How many steps before the end a place is looked for.
BACK = [1, 2, 3, 5, 8, 12, 16, 20, 25, 30, 35, 40, 50, 60]
# The features of a path that need no clock but its own moves come first.
OWN = 16


def path(stops, steps, places):
    """The features of a path, for each place. `stops` are (time, place)."""
    count = len(places)
    sequence = [places.index(place) if place in places else -1 for _, place in stops]
    times = [time for time, _ in stops]
    ends = times[1:] + [steps]
    visits, total, longest, last_stay, first_stay, gap = (numpy.zeros(count) for _ in range(6))
    first, first_move, last, last_move = (numpy.full(count, -1.0) for _ in range(4))
    left, shortest = numpy.full(count, 1e3), numpy.full(count, 1e3)
    for move, (place, time, end) in enumerate(zip(sequence, times, ends)):
        if place < 0:
            continue
        if visits[place] == 0:
            first[place], first_move[place], first_stay[place] = time, move, end - time
        else:
            gap[place] = max(gap[place], time - last[place])
        visits[place] += 1
        last[place], last_move[place], left[place] = time, move, steps - end
        total[place] += end - time
        longest[place] = max(longest[place], end - time)
        shortest[place] = min(shortest[place], end - time)
        last_stay[place] = end - time
    was = visits > 0
    since = numpy.where(was, len(stops) - 1 - last_move, 99)
    recency = numpy.array([(last_move > last_move[place]).sum() if was[place] else 9 for place in range(count)])
    late = numpy.array([sequence[-6:].count(place) for place in range(count)])
    own = [visits, first_move, since, recency, ~was, late]
    for back in range(8):
        own.append(numpy.arange(count) == (sequence[-1 - back] if back < len(stops) else -1))
    own += [numpy.full(count, len(stops)), numpy.arange(count) == sequence[0]]
    clock = [first, last, left, total, longest, last_stay, shortest, first_stay, gap]
    for back in BACK:
        at = [place for place, time in zip(sequence, times) if time <= steps - back]
        clock.append(numpy.arange(count) == (at[-1] if at else -1))
    clock += [numpy.full(count, steps), numpy.full(count, steps - times[-1])]
    clock += [numpy.argsort(numpy.argsort(feature)) for feature in (left, total, longest, last_stay)]
    return numpy.stack([numpy.asarray(feature, float) for feature in own + clock], 1)


def paths(row):
    """Where everyone and the target went, as (time, place)."""
    start = row["start"]
    of = lambda name: start if isinstance(start, str) else start.get(name)
    names = {row["about"], *row["chain"], *(event[1] for event in row["events"])}
    where = {name: [(0, of(name))] for name in names}
    for step, who, verb, *rest in row["events"]:
        goes = {"tell": [], "throw": rest[:1], "carry": [who, *rest[:1]]}.get(verb, [who])
        for name in goes:
            if where[name][-1][1] != rest[-1]:
                where[name].append((step + 1, rest[-1]))
    return where


def surface(row):
    """Features of the text alone, for each choice."""
    choices = row["choices"]
    sentences = row["story"].rstrip(".").split(". ")
    named = [next((at for at, choice in enumerate(choices) if said.endswith(choice)), -1) for said in sentences]
    named = numpy.array(named)
    steps, count = len(sentences), len(choices)
    at = [numpy.flatnonzero(named == choice) for choice in range(count)]
    times = numpy.array([len(found) for found in at])
    first = numpy.array([found[0] if len(found) else -1 for found in at])
    last = numpy.array([found[-1] if len(found) else -1 for found in at])
    late = [numpy.array([(found >= steps - back).sum() for found in at]) for back in (10, 20, 40)]
    people = len({said.split(" ")[0] for said in sentences})
    alphabet = sorted(choices)
    features = [times, first, steps - last, *late, numpy.full(count, steps), numpy.arange(count)]
    features += [[alphabet.index(choice) for choice in choices], [len(choice) for choice in choices]]
    features += [numpy.full(count, len(row["story"])), numpy.full(count, people)]
    features += [numpy.argsort(numpy.argsort(last)), numpy.argsort(numpy.argsort(times))]
    return numpy.stack([numpy.asarray(feature, float) for feature in features], 1)


def since_it_left(row, where, steps):
    """For each mind and choice: was she there after the target had left, and when? Not whether they met."""
    stays = lambda name: [(p, t, e) for (t, p), e in zip(where[name], [t for t, _ in where[name][1:]] + [steps])]
    left = {place: end for place, _, end in stays(row["about"])}
    columns = []
    for name in row["chain"]:
        own = stays(name)
        rows = []
        for place in row["choices"]:
            gone = left.get(place, -1)
            ended = max((end for at, _, end in own if at == place), default=-1)
            came = max((begun for at, begun, _ in own if at == place), default=-1)
            been = sum(1 for at, _, end in own if at == place and end > gone)
            rows.append([gone - ended, gone - came, been, float(been == 0 and 0 <= gone < steps)])
        columns.append(rows)
    return numpy.concatenate([numpy.array(rows, float) for rows in columns], 1)


def groups(rows):
    """For each group, its features by row, choice and number."""
    found = {"surface": [], "target": [], "minds": [], "both, own clocks": [], "both": []}
    for row in rows:
        steps, choices = len(row["events"]), row["choices"]
        where = paths(row)
        target = path(where[row["about"]], steps, choices)
        minds = [path(where[name], steps, choices) for name in row["chain"]]
        found["surface"].append(surface(row))
        found["target"].append(target)
        found["minds"].append(numpy.concatenate(minds, 1))
        found["both, own clocks"].append(numpy.concatenate([one[:, :OWN] for one in [target, *minds]], 1))
        found["both"].append(numpy.concatenate([target, *minds, since_it_left(row, where, steps)], 1))
    return {name: numpy.array(features, numpy.float32) for name, features in found.items()}


def over_chance(features, labels, learn):
    """How often a learner is right on the rows after the first `learn`, above chance."""
    count = features.shape[1]
    targets = (numpy.arange(count) == labels[:, None]).astype(float)
    flat = lambda part: features[part].reshape(-1, features.shape[2])
    data = lightgbm.Dataset(flat(slice(learn)), targets[:learn].reshape(-1))
    settings = dict(objective="binary", learning_rate=0.06, num_leaves=31, min_data_in_leaf=200, lambda_l2=5,
                    feature_fraction=0.6, seed=1, deterministic=True, verbosity=-1)
    model = lightgbm.train(settings, data, 250)
    guessed = model.predict(flat(slice(learn, None))).reshape(-1, count).argmax(1)
    return (guessed == labels[learn:]).mean() - 1 / count


def main(name, learn, test, *limits):
    learn, test = int(learn), int(test)
    with open(name) as file:
        rows = [json.loads(line) for _, line in zip(range(learn + test), file)]
    assert len(rows) == learn + test, f"{name} has {len(rows)} rows"
    labels = numpy.array([row["label"] for row in rows])
    limits = dict(limit.split("=") for limit in limits[1].split(",")) if limits else {}
    failed = False
    for group, features in groups(rows).items():
        over = over_chance(features, labels, learn)
        print(f"{rows[0]['board']}  {group:18} {100 * over:+5.1f}", flush=True)
        failed |= over > float(limits.get(group, 1))
    sys.exit(int(failed))


main(*sys.argv[1:])
