"""The client for asyncio. `npm run generate` makes the one that blocks from these files."""
