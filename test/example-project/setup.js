// Once for the whole run: a Kafka, a Postgres, and spare Annals for the test files to take.
import * as annals from 'annals/testing/global-setup';

export const { globalSetup, globalTeardown } = annals;
