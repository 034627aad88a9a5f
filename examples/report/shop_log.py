"""Make a log with the prices of a shop, in the folder `shop`, with some mistakes to look at."""

import random
from pathlib import Path

from jelly_spark import codec
from jelly_spark.codec import PatchRow

random.seed(16)
folder = Path("shop")
folder.mkdir()
price, name = "<http://example.org/price>", "<http://example.org/name>"
prices: dict[str, str] = {}
prev = None
for day in range(60):
    if day == 31:
        continue  # A lost file: a gap in the chain.
    id = f"<urn:shop:{day}>"
    rows = [PatchRow("H", name="id", value=id)]
    if day == 32:
        prev = "<urn:shop:31>"
    if prev is not None:
        rows.append(PatchRow("H", name="prev", value=prev))
    rows.append(PatchRow("TX"))
    for item in sorted(random.sample(range(200), random.randint(2, 25))):
        cup = f"<http://example.org/cup/{item}>"
        cents = f'"{random.randint(500, 2500) / 100:.2f}"'
        if cup in prices:
            rows.append(PatchRow("D", cup, price, prices[cup]))
        else:
            rows.append(PatchRow("A", cup, name, f'"Cup {item}"@en'))
        rows.append(PatchRow("A", cup, price, cents))
        prices[cup] = cents
    rows += [PatchRow("TC"), PatchRow("END")]
    if day in (12, 40):
        # A transaction that was taken back, with the price of a cup.
        changes = [PatchRow("A", cup, price, '"0.00"') for cup in sorted(prices)[:15]]
        rows[-1:] = [PatchRow("TX"), *changes, PatchRow("TA"), PatchRow("END")]
    codec.write(folder / f"{day:04}.jellyp", rows)
    prev = id
fork = [
    PatchRow("H", name="id", value="<urn:shop:fork>"),
    PatchRow("H", name="prev", value="<urn:shop:45>"),
    PatchRow("D", "<http://example.org/cup/200>", price, '"8.50"'),
    PatchRow("A", "<http://example.org/cup/200>", price, '"9.20"'),
    PatchRow("A", '"cup 200"', name, '"Cup"@en'),
    PatchRow("END"),
]
codec.write(folder / "fork.jellyp", fork)
