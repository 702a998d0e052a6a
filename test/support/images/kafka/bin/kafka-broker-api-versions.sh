#!/bin/bash
exec java -Xmx128m -Dorg.slf4j.simpleLogger.defaultLogLevel=error -cp "/opt/kafka/libs/*" org.apache.kafka.tools.BrokerApiVersionsCommand "$@"
