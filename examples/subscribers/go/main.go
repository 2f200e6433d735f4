// Prints each PDF that is completed from now on. EVENTS_URL: printed by `npm run --silent platen -- nats-url`
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

type event struct {
	ID, Subject string
	Data        struct {
		FileName string `json:"file_name"`
		Pages    int
		Metadata map[string]string
	}
}

var handled = map[string]bool{} // in production: a table with a unique index

func handle(e event) error {
	_, err := fmt.Println(e.Subject, e.Data.FileName, e.Data.Pages, e.Data.Metadata["order"])
	return err
}

// keep tells the server that a message is being handled, until it is stopped. Without it, another process gets the message, too.
func keep(message jetstream.Msg, ackWait time.Duration) (stop func()) {
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		for ticks := time.Tick(ackWait / 3); ; {
			select {
			case <-ticks:
				if err := message.InProgress(); err != nil {
					log.Print(err)
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return stop
}

func settle(message jetstream.Msg, ackWait time.Duration) error {
	defer keep(message, ackWait)()
	var e event
	if err := json.Unmarshal(message.Data(), &e); err != nil {
		return message.Term()
	}
	// What an operator publishes again has this header. It should print nothing again.
	isReplay := message.Headers().Get("Platen-Replay") != ""
	if !handled[e.ID] && !isReplay {
		if err := handle(e); err != nil {
			log.Print(err)
			delay := 5 * time.Minute // after 1 s, 2 s, 4 s, …
			if meta, err := message.Metadata(); err == nil && meta.NumDelivered < 10 {
				delay = min(delay, time.Second<<(meta.NumDelivered-1))
			}
			return message.NakWithDelay(delay)
		}
		handled[e.ID] = true
	}
	return message.Ack()
}

func run(ctx context.Context) error {
	client, err := nats.Connect(os.Getenv("EVENTS_URL"), nats.CustomInboxPrefix("_INBOX_subscriber"))
	if err != nil {
		return err
	}
	defer client.Close()
	stream, err := jetstream.New(client)
	if err != nil {
		return err
	}
	// DeliverPolicy: where a consumer begins that does not exist. One that exists goes on where it was.
	config := jetstream.ConsumerConfig{Durable: "go-example", FilterSubject: "events.generation.completed.>",
		DeliverPolicy: jetstream.DeliverNewPolicy, AckPolicy: jetstream.AckExplicitPolicy}
	consumer, err := stream.CreateOrUpdateConsumer(ctx, "EVENTS", config)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	ackWait := consumer.CachedInfo().Config.AckWait
	for ctx.Err() == nil {
		// One: the others of a batch would come again while they wait for it.
		batch, err := consumer.Fetch(1, jetstream.FetchMaxWait(time.Second))
		if err != nil {
			return err
		}
		for message := range batch.Messages() {
			if ctx.Err() != nil {
				err = message.Nak() // another process gets it, without waiting
			} else {
				err = settle(message, ackWait)
			}
			if err != nil {
				log.Print(err)
			}
		}
	}
	return client.FlushTimeout(time.Second)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		log.Fatal(err)
	}
}
