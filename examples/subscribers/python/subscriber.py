# Prints each PDF that is completed from now on. pip install nats-py
# EVENTS_URL: printed by `npm run --silent platen -- nats-url`
import asyncio, json, os
import nats
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy

async def main():
    client = await nats.connect(os.environ["EVENTS_URL"], inbox_prefix=b"_INBOX_subscriber")
    config = ConsumerConfig(deliver_policy=DeliverPolicy.NEW, ack_policy=AckPolicy.EXPLICIT, max_deliver=10)
    subject, durable = "events.generation.completed.>", "python-example"
    consumer = await client.jetstream().pull_subscribe(subject, durable, stream="EVENTS", config=config)
    handled = set()  # in production: a table with a unique index
    print("ready", flush=True)
    while True:
        try:
            messages = await consumer.fetch(10, timeout=30)
        except nats.errors.TimeoutError:
            continue
        for message in messages:
            event = json.loads(message.data)
            if event["id"] not in handled:
                data = event["data"]
                print(event["subject"], data["file_name"], data["pages"], data["metadata"].get("order"), flush=True)
                handled.add(event["id"])
            await message.ack()

asyncio.run(main())
