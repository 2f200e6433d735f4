// Prints each PDF that is completed from now on. EVENTS_URL: printed by `npm run --silent platen -- nats-url`
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

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

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	client := must(nats.Connect(os.Getenv("EVENTS_URL"), nats.CustomInboxPrefix("_INBOX_subscriber")))
	config := jetstream.ConsumerConfig{Durable: "go-example", FilterSubject: "events.generation.completed.>",
		DeliverPolicy: jetstream.DeliverNewPolicy, AckPolicy: jetstream.AckExplicitPolicy, MaxDeliver: 10}
	consumer := must(must(jetstream.New(client)).CreateOrUpdateConsumer(context.Background(), "EVENTS", config))
	handled := map[string]bool{} // in production: a table with a unique index
	messages := must(consumer.Messages())
	for fmt.Println("ready"); ; {
		message, e := must(messages.Next()), event{}
		if json.Unmarshal(message.Data(), &e) == nil && !handled[e.ID] {
			fmt.Println(e.Subject, e.Data.FileName, e.Data.Pages, e.Data.Metadata["order"])
			handled[e.ID] = true
		}
		must(0, message.Ack())
	}
}
