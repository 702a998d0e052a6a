import { Badge } from '@mantine/core';
import type { Entity } from '../api/metadata.ts';

/** The colours of the stock options that end a record's work. */
const finalColors: Readonly<Record<string, string>> = {
  ...colored('green', [
    'Closed Won',
    'Held',
    'Completed',
    'Complete',
    'Converted',
    'Closed',
    'Published',
  ]),
  ...colored('red', ['Closed Lost', 'Not Held', 'Dead', 'Rejected', 'Canceled', 'Expired']),
  ...colored('gray', ['Duplicate', 'Recycled', 'Deferred', 'Archived', 'Inactive']),
};

const openColors = ['blue', 'violet', 'cyan', 'yellow', 'orange', 'pink'];

function colored(color: string, options: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(options.map((option) => [option, color]));
}

/** Returns the colour of an option of the field that contains a record's status. Open options have different ones. */
export function statusColor({ fields }: Entity, field: string, option: string): string {
  const open = fields[field]?.options?.filter((one) => finalColors[one] === undefined) ?? [];
  const place = open.indexOf(option);
  return finalColors[option] ?? openColors[place % openColors.length] ?? 'gray';
}

/** True if work on records with this status has ended. */
export function isFinalStatus(option: string): boolean {
  return finalColors[option] !== undefined;
}

/** Shows the status of a record by colour and text. */
export function StatusBadge(props: {
  readonly entity: Entity;
  readonly field: string;
  readonly option: string;
}) {
  const { entity, field, option } = props;
  return <Badge color={statusColor(entity, field, option)}>{entity.optionOf(field, option)}</Badge>;
}
