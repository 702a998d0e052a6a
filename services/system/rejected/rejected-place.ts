/** The place of an entry in the log. */
export interface RejectedPlace {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
}

const placeForm = /^([\w.-]+)\/(\d{1,9})\/(\d{1,18})$/;

/** Parses a place such as `annals.records/1/4711`. Returns undefined for any other text. */
export function toPlace(text: string): RejectedPlace | undefined {
  const [, topic = '', partition, offset = ''] = placeForm.exec(text) ?? [];
  return partition === undefined ? undefined : { topic, partition: Number(partition), offset };
}

export function placeName({ topic, partition, offset }: RejectedPlace): string {
  return `${topic}/${partition}/${offset}`;
}
