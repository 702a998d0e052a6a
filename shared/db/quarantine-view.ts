import type { Quarantine, QuarantinedEvent, QuarantineNotice, RecordName } from './quarantine.ts';

/** The quarantined events and records that this process was notified of. */
export function createQuarantineView() {
  const eventsOf = new Map<string, Set<string>>();
  const recordAt = new Map<string, string>();
  const entityTypes = new Set<string>();

  const recordKey = ({ entityType, id }: RecordName) => `${entityType}/${id}`;

  function add(event: QuarantinedEvent): void {
    const { topic, partition, offset } = event;
    const key = recordKey(event);
    const place = `${topic}/${partition}/${offset}`;
    const places = eventsOf.get(key) ?? new Set();
    eventsOf.set(key, places.add(place));
    recordAt.set(place, key);
  }

  function drop(record: RecordName): void {
    const key = recordKey(record);
    for (const place of eventsOf.get(key) ?? []) recordAt.delete(place);
    eventsOf.delete(key);
    entityTypes.delete(record.entityType);
  }

  return {
    drop,
    hasEvent: (topic: string, partition: number, offset: bigint) =>
      recordAt.size > 0 && recordAt.has(`${topic}/${partition}/${offset}`),
    hasRecord: (record: RecordName) =>
      (eventsOf.size > 0 && eventsOf.has(recordKey(record))) ||
      (entityTypes.size > 0 && entityTypes.has(record.entityType)),
    apply(notice: Exclude<QuarantineNotice, 'reload'>): void {
      if ('held' in notice) notice.held.forEach(add);
      else notice.released.forEach(drop);
    },
    replace(loaded: Quarantine): void {
      eventsOf.clear();
      recordAt.clear();
      entityTypes.clear();
      loaded.events.forEach(add);
      for (const name of loaded.entityTypes) entityTypes.add(name);
    },
  };
}
