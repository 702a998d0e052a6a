import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { version } from '../../shared/runtime/version.ts';
import { createProgram } from './program.ts';

interface Outcome {
  /** The commands that would have run, with their options. */
  readonly ran: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  /** The error in the command line. */
  readonly error: string | undefined;
  readonly printed: string;
}

async function type(line: string): Promise<Outcome> {
  const ran: string[] = [];
  let options = {};
  let printed = '';
  const record = async (command: Command): Promise<void> => {
    ran.push(command.name());
    options = command.optsWithGlobals();
  };
  const program = createProgram({ run: record, runAlone: record });
  const silence = (command: Command): void => {
    command.configureOutput({ writeErr: () => undefined, writeOut: (text) => (printed += text) });
    for (const child of command.commands) silence(child);
  };
  silence(program);
  try {
    await program.parseAsync(['node', 'annals', ...split(line)]);
    return { ran, options, error: undefined, printed };
  } catch (error) {
    return { ran, options, error: error instanceof Error ? error.message : String(error), printed };
  }
}

const split = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');

const period = '--from 2026-01-01 --to 2026-01-02';

describe('a command line', () => {
  it.each([
    ['verify --webhook a', '--webhook can only be used with --webhooks.'],
    ['verify --from 2026-01-01 --to 2026-01-02', '--from, --to can only be used with --webhooks.'],
    ['verify --webhooks --from 2026-01-02 --to 2026-01-01', 'before --to'],
    ['verify --webhooks --from "Sale 5"', 'It must be a time like 2026-01-31T12:00Z'],
    ['verify --webhooks --from 2026-02-31', 'It must be a time like'],
    ['verify --sample 0', 'It must be a number above 0 and at most 100.'],
    ['verify --sample 101', 'It must be a number above 0 and at most 100.'],
    ['verify --sample 5 --webhooks', "cannot be used with option '--webhooks'"],
    ['verify --sample 5 --since 2026-01-01', "cannot be used with option '--sample"],
    ['verify --since yesterday', 'It must be a time like'],
    ['rebuild --rollback --drop-old', "'--rollback' cannot be used with option '--drop-old'"],
    ['rebuild --rollback --from-nothing', "cannot be used with option '--from-nothing'"],
    ['rebuild --drop-old --from-nothing', "cannot be used with option '--from-nothing'"],
    ['tail --type nonsense', 'It must be one of created, updated, deleted.'],
    ['tail --id ""', 'It is empty.'],
    ['rejected show', "missing required argument 'topic/partition/offset'"],
    ['rejected show annals.records', 'It must have the form topic/partition/offset.'],
    ['rejected show annals.records/0/1 annals.records/x/1', 'It must have the form'],
    ['rejected list annals.records/0/1', 'too many arguments'],
    ['dead-letters', ''],
    ['dead-letters nothing', "unknown command 'nothing'"],
    ['dead-letters list a', 'too many arguments'],
    ['dead-letters send', 'Specify ids of dead letters, --all or --webhook'],
    ['dead-letters send a --all', 'not both'],
    ['dead-letters drop --webhook ""', 'It is empty.'],
    [`replay --webhook a ${period} --follow b`, '--follow b cannot be used with --from, --to.'],
    ['replay --webhook a --follow', 'or the id of a replay: --follow <replay>.'],
    ['replay --webhook a --cancel b --follow', '--follow and --cancel cannot be combined'],
    ['replay --webhook a --follow ""', 'It is empty.'],
    ['replay --webhook a --cancel b --resume c', 'cannot be used with'],
    ['replay --webhook a --cancel b --follow c', 'cannot be used with'],
    ['replay --webhook a --resume b --follow c', 'cannot be used with'],
    ['replay --webhook a --cancel b --dry-run', "cannot be used with option '--dry-run'"],
    ['replay --webhook a --from 2026-01-01', 'Specify the period with --from and --to'],
    ['replay --webhook a --from 2026-01-01 --to 2026-01-01', 'before --to'],
    ['import people.csv', "required option '--entity <type>'"],
    ['import people.csv --entity Contact --map Mail', 'It must have the form header=attribute'],
    ['import people.csv --entity Contact --map =name', 'It must have the form header=attribute'],
    ['import people.csv --entity Contact --duplicates ask', 'Allowed choices are'],
    ['user create a --type regular --auth-method Hmac', 'can only be used with --type api'],
    ['user roles a --set b --add c', "'--set <roles>' cannot be used with option '--add <roles>'"],
    ['user roles a --add b,c --remove c', 'Add or remove c, not both.'],
  ])('"%s" is rejected before it runs', async (line, error) => {
    const outcome = await type(line);
    expect(outcome.ran).toEqual([]);
    expect(outcome.error).toContain(error);
  });

  it.each([
    ['verify', 'verify'],
    [`verify --webhooks --webhook a ${period}`, 'verify'],
    ['rebuild --from-nothing', 'rebuild'],
    ['rebuild --drop-old --yes', 'rebuild'],
    ['tail --type Created --from 2026-01-31T12:00:30.5+01:00 --no-follow', 'tail'],
    ['tail --from "2026-01-31 12:00:00" --no-follow', 'tail'],
    ['replay --webhook a --resume b', 'replay'],
    ['replay --webhook a --resume b --follow', 'replay'],
    ['replay --webhook a --follow b', 'replay'],
    [`replay --webhook a --follow ${period}`, 'replay'],
    [`replay --webhook a ${period} --dry-run`, 'replay'],
    ['import people.csv --entity Contact --map "a = b=emailAddress" --map c=-', 'import'],
    ['user create a --auth-method Hmac', 'create'],
    ['user roles a --add b --remove c', 'roles'],
    ['rejected show annals.records/0/1 annals.directory/0/2', 'show'],
    ['dead-letters list --webhook a --json', 'list'],
    ['dead-letters send --webhook a --all', 'send'],
    ['dead-letters drop a --webhook b --yes', 'drop'],
  ])('"%s" is accepted', async (line, name) => {
    expect(await type(line)).toMatchObject({ ran: [name], error: undefined });
  });

  it('prints the version', async () => {
    expect(await type('--version')).toMatchObject({ ran: [], printed: `${version}\n` });
  });
});
