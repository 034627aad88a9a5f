"""Files in the formats that are this project's own, as each release wrote them."""
