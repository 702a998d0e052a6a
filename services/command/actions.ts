import { conversionActions } from './conversion/conversion-actions.ts';
import { currencyActions } from './currency/currency-actions.ts';
import { definitionActions } from './definitions/definition-actions.ts';
import { fileActions } from './files/file-actions.ts';
import { loginActions } from './logins/login-actions.ts';
import { massActionActions } from './mass-actions/mass-action-actions.ts';
import { mergeActions } from './merge/merge-actions.ts';
import { recordActions } from './records/record-actions.ts';
import type { Action } from './routing/action.ts';
import type { CommandOf } from './routing/forwarded-command.ts';
import { streamActions } from './stream/stream-actions.ts';
import { webhookActions } from './webhooks/webhook-actions.ts';

/** All that can be asked of the owner of a partition. A new action is its feature's, which is listed here. */
export const actions = [
  ...recordActions,
  ...conversionActions,
  ...currencyActions,
  ...definitionActions,
  ...fileActions,
  ...loginActions,
  ...massActionActions,
  ...mergeActions,
  ...streamActions,
  ...webhookActions,
] as const;

type KnownAction = (typeof actions)[number];

/** A command on its way to the owner: what it holds follows from the name of its action. */
export type KnownCommand = CommandOf<KnownAction>;

/** What deciding all of them needs. */
export type OwnerContext = All<
  KnownAction extends infer One
    ? One extends Action<string, object, infer Owner>
      ? Owner
      : never
    : never
>;

/** What is all of these at once. */
type All<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer Whole,
) => void
  ? Whole
  : never;
