import type { Client } from 'pg';
import { OperatorError } from '../../local/operator-error.ts';
import type { CommandContext } from '../command-context.ts';
import type { Installation } from '../installation.ts';
import { type DescribedEntry, describeEntry } from '../rejected/describe-entry.ts';
import {
  placeName,
  type RejectedPlace,
  type RejectedSummary,
  readRejected,
  readRejectedEntry,
} from '../rejected/read-rejected.ts';

type Shown = ReturnType<typeof toSummary>;

/** `annals rejected list`. */
export async function listRejected({
  installation,
  isJson,
  output,
}: CommandContext): Promise<number> {
  const found = await withReadModel(installation, readRejected);
  const list = found.map(toSummary);
  if (isJson) output.print(JSON.stringify({ list }));
  else {
    for (const { id, bytes, reason } of list) output.print(`${id}: ${bytes} bytes, ${reason}`);
    output.print(`${list.length} rejected entries.`);
  }
  return 0;
}

/** `annals rejected show`. All of them are looked up before anything is shown; one that is named twice is shown once. */
export async function showRejected(
  { installation, isJson, output }: CommandContext,
  places: readonly RejectedPlace[],
): Promise<number> {
  const named = new Map(places.map((place) => [placeName(place), place]));
  const list = await withReadModel(installation, async (client) => {
    const shown: (Shown & DescribedEntry)[] = [];
    for (const place of named.values()) shown.push(await readShown(installation, client, place));
    return shown;
  });
  if (isJson) output.print(JSON.stringify({ list }));
  else for (const one of list) output.print(JSON.stringify(one, null, 2));
  return 0;
}

async function readShown(
  { topics }: Installation,
  client: Client,
  place: RejectedPlace,
): Promise<Shown & DescribedEntry> {
  const found = await readRejectedEntry(client, place);
  if (found === undefined) {
    throw new OperatorError(
      `No entry ${placeName(place)} was rejected: annals rejected list shows those that were.`,
    );
  }
  const { reason, entry } = found;
  const isDirectory = place.topic === topics.directory;
  return {
    ...toSummary({ ...place, reason, bytes: entry.length }),
    ...describeEntry(entry, { isDirectory }),
  };
}

async function withReadModel<Result>(
  { connect }: Installation,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function toSummary({ topic, partition, offset, reason, bytes }: RejectedSummary) {
  const id = placeName({ topic, partition, offset });
  return { id, topic, partition, offset: Number(offset), reason, bytes };
}
