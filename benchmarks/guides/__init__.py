"""Programs that print the tables of measurements that the guides show."""
