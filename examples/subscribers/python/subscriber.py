# Prints each PDF that is completed from now on. pip install nats-py
# EVENTS_URL: printed by `npm run --silent platen -- nats-url`
import asyncio, json, os, signal, sys
import nats
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy

handled = set()  # in production: a table with a unique index


def handle(event):
    data = event["data"]
    print(event["subject"], data["file_name"], data["pages"], data["metadata"].get("order"), flush=True)


async def keep(message, ack_wait):
    # Tells the server that the message is being handled. Without it, another process gets the message, too.
    while True:
        await asyncio.sleep(ack_wait / 3)
        await message.in_progress()


async def settle(message, ack_wait):
    try:
        event = json.loads(message.data)
    except ValueError:
        return await message.term()
    # What an operator publishes again has this header. It should print nothing again.
    is_replay = "Platen-Replay" in (message.headers or {})
    kept = asyncio.create_task(keep(message, ack_wait))
    try:
        if event["id"] not in handled and not is_replay:
            await asyncio.to_thread(handle, event)
            handled.add(event["id"])
        await message.ack()
    except Exception as error:
        print(error, file=sys.stderr)
        # 1 s, 2 s, 4 s, … five minutes
        await message.nak(delay=min(2 ** (message.metadata.num_delivered - 1), 300))
    finally:
        kept.cancel()


async def main():
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    client = await nats.connect(os.environ["EVENTS_URL"], inbox_prefix=b"_INBOX_subscriber")
    # Where a consumer begins that does not exist. One that exists goes on where it was.
    config = ConsumerConfig(deliver_policy=DeliverPolicy.NEW, ack_policy=AckPolicy.EXPLICIT, ack_wait=30)
    subject, durable = "events.generation.completed.>", "python-example"
    consumer = await client.jetstream().pull_subscribe(subject, durable, stream="EVENTS", config=config)
    ack_wait = (await consumer.consumer_info()).config.ack_wait
    print("ready", flush=True)
    while not stop.is_set():
        try:
            # One: the others of a batch would come again while they wait for it.
            messages = await consumer.fetch(1, timeout=1)
        except asyncio.TimeoutError:
            continue
        for message in messages:
            # Another process gets the rest, without waiting.
            await (message.nak() if stop.is_set() else settle(message, ack_wait))
    # Not drain(), which waits half a minute for a pull subscription that has no end.
    await client.flush()
    await client.close()


asyncio.run(main())
