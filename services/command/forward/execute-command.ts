import type { TeamsOf } from '../../../shared/domain/access/assignment.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { CurrencyRates } from '../../../shared/domain/field/currency-rates.ts';
import { decideConversion, decideConversionEnd } from '../actions/decide-conversion.ts';
import { decideCurrency, decideRates } from '../actions/decide-currency.ts';
import { decideMerge, decideMergeAway, decideMergeEnd } from '../actions/decide-merge.ts';
import { type Definition, decideDefinition } from '../actions/define-entities.ts';
import { prepareConvertedLinks } from '../actions/link-converted.ts';
import { decideMassAction, type MassActionStep } from '../actions/mass-action.ts';
import { prepareRelink } from '../actions/relink-record.ts';
import type { AttachmentCommands } from '../commands/attachment-commands.ts';
import type { DirectoryCommands } from '../commands/directory-commands.ts';
import { executeLogin } from '../commands/login-commands.ts';
import type { MarkCommand } from '../commands/mark-command.ts';
import type { PinCommand } from '../commands/pin-command.ts';
import type { LogRecordCommands, RecordCommands } from '../commands/record-commands.ts';
import { requestQueueRun } from '../commands/request-queue-run.ts';
import type { ResolveLinks } from '../commands/resolve-links.ts';
import type { WebhookCommands } from '../commands/webhook-commands.ts';
import type { Executed, ExistingWriteRequest } from '../commands/write-request.ts';
import type { Attempt, RoutedCommand } from './route-commands.ts';

interface ExecuteDeps {
  readonly records: LogRecordCommands;
  /** For entity types of the directory, and others with rules of their own, by name. */
  readonly byType: ReadonlyMap<string, RecordCommands>;
  readonly attachments: AttachmentCommands;
  readonly webhooks: WebhookCommands;
  readonly mark: MarkCommand;
  readonly pin: PinCommand;
  readonly directoryCommands: DirectoryCommands;
  readonly definitions: Directory;
  readonly resolveLinks: ResolveLinks;
  readonly teamsOf: TeamsOf;
  readonly currencies: () => CurrencyRates;
  readonly now: () => number;
}

export type Execute = (command: RoutedCommand, attempt: Attempt) => Promise<Executed>;

/** Decides a command at this instance; NotOwner if it is not the one to do so. */
export function createExecute(deps: ExecuteDeps): Execute {
  const { records, byType, webhooks, mark, pin, directoryCommands, definitions, now } = deps;
  const commandsFor = ({ name, definition }: RoutedCommand['model']): RecordCommands => {
    const found = byType.get(name);
    if (found !== undefined) return found;
    if (definition.log === 'records') return records;
    throw new Refusal('forbidden', 'access.denied', `${name} has an API of its own.`);
  };

  return async (command, { place, identity }) => {
    const id = command.id ?? place?.id ?? '';
    const request = { ...command, identity, id };
    const creation = { ...command, identity, ...(place === undefined ? {} : { place }) };
    switch (command.action) {
      case 'create':
        return commandsFor(command.model).create(creation);
      case 'upload':
        return deps.attachments.upload(creation);
      case 'update':
        return commandsFor(command.model).update(request);
      case 'remove':
        return commandsFor(command.model).remove(request);
      case 'restore':
        return commandsFor(command.model).restore(request);
      case 'link':
      case 'unlink':
        return commandsFor(command.model).changeLinks(command.action, request);
      case 'convert':
      case 'convert-link':
      case 'convert-end':
      case 'convert-currency':
      case 'mass-action':
      case 'merge':
      case 'relink':
      case 'merge-away':
      case 'merge-end':
        return executeAction(deps, command.action, request);
      case 'mark':
        return mark(request);
      case 'pin':
        return pin(request);
      case 'define': {
        const decide = decideDefinition(definitions, command.body as unknown as Definition);
        return directoryCommands.append(request, { id, isCreation: false, decide });
      }
      case 'set-rates':
        return directoryCommands.append(request, {
          id,
          isCreation: false,
          decide: decideRates(request),
        });
      case 'rotate-secret':
        return webhooks.rotateSecret(request);
      case 'switch-off':
        return webhooks.switchOff(request);
      case 'start-replay':
        return webhooks.startReplay(creation);
      case 'cancel-replay':
        return webhooks.cancelReplay(request);
      case 'resume-replay':
        return webhooks.resumeReplay(request);
      case 'run-queue':
        return requestQueueRun(directoryCommands, { ...request, now: now() });
      default:
        return executeLogin(directoryCommands, command.action, request);
    }
  };
}

type MultipleAction =
  | 'convert'
  | 'convert-link'
  | 'convert-end'
  | 'convert-currency'
  | 'mass-action'
  | 'merge'
  | 'relink'
  | 'merge-away'
  | 'merge-end';

/** Decisions of which more follows, and what follows from them. */
async function executeAction(
  deps: ExecuteDeps,
  action: MultipleAction,
  request: ExistingWriteRequest,
): Promise<Executed> {
  const { records, now } = deps;
  const { id, body } = request;
  const existing = { id, isCreation: false };
  switch (action) {
    case 'convert':
      return records.append(request, { ...existing, decide: decideConversion(request, now) });
    case 'convert-link': {
      const decide = await prepareConvertedLinks(request, deps);
      return records.append(request, { ...existing, decide });
    }
    case 'convert-end':
      return records.append(request, { ...existing, decide: decideConversionEnd(request) });
    case 'convert-currency':
      return records.append(request, { ...existing, decide: decideCurrency(request, deps) });
    case 'mass-action': {
      const step = body as unknown as MassActionStep;
      return records.append(request, {
        id,
        isCreation: step.kind === 'decide',
        decide: (state) => decideMassAction(state, step, { id, now: now() }),
      });
    }
    case 'merge':
      return records.append(request, { ...existing, decide: decideMerge(request, deps) });
    case 'relink':
      return records.append(request, { ...existing, decide: await prepareRelink(request, deps) });
    case 'merge-away':
      return records.append(request, { ...existing, decide: decideMergeAway(request) });
    case 'merge-end':
      return records.append(request, { ...existing, decide: decideMergeEnd(request) });
  }
}
