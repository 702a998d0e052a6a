import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import type { LoggedEvent } from '../../shared/events/log-entry.ts';
import { type ApiAnswer, type ApiClient, recordIn } from '../support/api-client.ts';
import type { RandomSource } from '../support/builders/random-source.ts';

/**
 * The prefix of each text that makes service-hook.mjs, or a trigger in Postgres, corrupt the change with it.
 */
const MARK = 'chaos-poison-';

type Values = Readonly<Record<string, unknown>>;

/** A change that a defective decision accepts, and that the tables reject. */
interface Poison {
  readonly name: string;
  readonly entityType: string;
  /** Values of a record that the tables accept. */
  readonly sound: Values;
  readonly poisoned: Values;
}

const opportunity = { name: 'Deal', closeDate: '2027-01-31', amount: 1, amountCurrency: 'USD' };

const ofType = (name: string, entityType: string, sound: Values): Poison => ({
  name,
  entityType,
  sound,
  poisoned: { description: `${MARK}${name}` },
});

/** A rejection that values alone cannot cause: a trigger raises it. */
const ofTrigger = (name: string, sqlState: string): Poison => ({
  name,
  entityType: 'Account',
  sound: { name: 'Sound' },
  poisoned: { name: `${MARK}${sqlState}` },
});

/** Its table has nearly as many columns as definitions may have. */
const WIDE_TYPE = 'ChaosWide';
const BROKEN_TYPE = 'ChaosBroken';

const poisons: readonly Poison[] = [
  ofType('integer', 'Opportunity', opportunity),
  ofType('number', 'Opportunity', opportunity),
  ofType('date', 'Opportunity', opportunity),
  ofType('index', 'Contact', { lastName: 'Indexed' }),
  ofType('row', WIDE_TYPE, { name: 'Wide' }),
  ofTrigger('constraint', '23514'),
  ofTrigger('type', '42804'),
];

/** The nemesis draws the class of the poison, and whether a later change adds it to a valid record. */
export interface PoisonDraw {
  readonly name: string;
  readonly isLater: boolean;
}

const otherNames = ['nul', 'columns'];

export function drawPoison(random: RandomSource): PoisonDraw {
  const isLater = random.chance(0.5);
  return { name: random.pick([...poisons.map(({ name }) => name), ...otherNames]), isLater };
}

/** The outcome of a poison, with unexpected responses. */
export interface PoisonOutcome {
  /** The Idempotency-Key of the change, if the log must contain it. */
  readonly commandId: string | undefined;
  readonly says: string;
  readonly complaints: readonly string[];
}

interface PoisonDeps {
  readonly admin: ApiClient;
  /** Distinguishes the poisons of a run. */
  readonly number: number;
  /** True if nothing else disturbs the product, so that each response must be the documented one. */
  readonly isUndisturbed: boolean;
}

export async function makePoison(
  deps: PoisonDeps,
  { name, isLater }: PoisonDraw,
): Promise<PoisonOutcome> {
  if (name === 'columns') return defineBrokenType(deps);
  const poison = poisons.find((one) => one.name === name);
  return poison === undefined ? sendNul(deps) : spoilRecord(deps, poison, isLater);
}

async function spoilRecord(
  { admin, number, isUndisturbed }: PoisonDeps,
  { entityType, sound, poisoned }: Poison,
  isLater: boolean,
): Promise<PoisonOutcome> {
  const commandId = `poison-${number}`;
  const headers = { 'Idempotency-Key': commandId, 'X-Skip-Duplicate-Check': 'true' };
  const path = `/${entityType}`;
  if (!isLater) {
    const answer = await admin
      .post(path, { ...sound, ...poisoned }, headers)
      .catch(() => undefined);
    return evaluate(answer, { isUndisturbed, commandId });
  }
  const made = await admin
    .post(path, sound, { ...headers, 'Idempotency-Key': `${commandId}-sound` })
    .catch(() => undefined);
  if (made?.status !== 200)
    return {
      commandId: undefined,
      says: 'the record to poison is missing',
      complaints: unexpected(made, { isUndisturbed }),
    };
  const ofRecord = `${path}/${recordIn(made).id}`;
  const answer = await admin.put(ofRecord, poisoned, headers).catch(() => undefined);
  const outcome = evaluate(answer, { isUndisturbed, commandId });
  if (answer?.status !== 500) return outcome;
  const complaints = [
    ...outcome.complaints,
    ...(await expectQuarantined('read', isUndisturbed, () => admin.get(ofRecord))),
    ...(await expectQuarantined('write', isUndisturbed, () => admin.put(ofRecord, sound))),
  ];
  return { ...outcome, complaints };
}

/**
 * A value with a NUL must not reach the log: readers would skip the entry and all later entries of its
 * writer.
 */
async function sendNul({ admin, number }: PoisonDeps): Promise<PoisonOutcome> {
  const headers = { 'Idempotency-Key': `nul-${number}`, 'X-Skip-Duplicate-Check': 'true' };
  const body = { name: 'Nul', description: `${MARK}nul` };
  const answer = await admin.post('/Account', body, headers).catch(() => undefined);
  const isTaken = answer !== undefined && answer.status < 500;
  const complaints = isTaken ? [`the response to a change with a NUL was ${describe(answer)}`] : [];
  return { commandId: undefined, says: describe(answer), complaints };
}

async function defineBrokenType(deps: PoisonDeps): Promise<PoisonOutcome> {
  const { admin, number, isUndisturbed } = deps;
  const name = `${BROKEN_TYPE}${number}`;
  const answer = await defineType(admin, name, `${MARK}columns`).catch(() => undefined);
  const says = describe(answer);
  if (answer?.status !== 200)
    return { commandId: undefined, says, complaints: unexpected(answer, { isUndisturbed }) };
  const { name: entityType } = answer.body as { name: string };
  const complaints = await expectQuarantined('write', isUndisturbed, () =>
    admin.post(`/${entityType}`, { name: 'Never' }),
  );
  return { commandId: undefined, says, complaints };
}

function defineType(admin: ApiClient, name: string, label: string): Promise<ApiAnswer> {
  return admin.post('/EntityManager/action/createEntity', {
    ...{ name, type: 'Base', stream: false, labelSingular: label, labelPlural: name },
  });
}

function evaluate(
  answer: ApiAnswer | undefined,
  { isUndisturbed, commandId }: { readonly isUndisturbed: boolean; readonly commandId: string },
): PoisonOutcome {
  const isUnstorable = answer?.status === 500 && codeOf(answer) === 'change.unstorable';
  const complaints = isUnstorable ? [] : unexpected(answer, { isUndisturbed });
  return { commandId: isUnstorable ? commandId : undefined, says: describe(answer), complaints };
}

/**
 * Under other faults a request may get no response or a 503. No poison may be acknowledged or blamed on the
 * client.
 */
function unexpected(
  answer: ApiAnswer | undefined,
  { isUndisturbed }: Pick<PoisonDeps, 'isUndisturbed'>,
): readonly string[] {
  if (!isUndisturbed && (answer === undefined || answer.status >= 500)) return [];
  return [`the response to a poison was ${describe(answer)}`];
}

async function expectQuarantined(
  what: string,
  isUndisturbed: boolean,
  request: () => Promise<ApiAnswer>,
): Promise<readonly string[]> {
  const answer = await request().catch(() => undefined);
  if (answer?.status === 409 && codeOf(answer) === 'record.quarantined') return [];
  if (!isUndisturbed && (answer === undefined || answer.status >= 500)) return [];
  return [`the response to a ${what} of a quarantined record was ${describe(answer)}`];
}

function codeOf({ body }: ApiAnswer): unknown {
  return Object(body).code;
}

function describe(answer: ApiAnswer | undefined): string {
  return answer === undefined ? 'no response' : `${answer.status} ${codeOf(answer) ?? ''}`.trim();
}

/**
 * Prepares a product for poisons: a wide type, and triggers that the table of accounts gets whenever it is
 * created.
 */
export async function preparePoisons(admin: ApiClient, databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, (client) => client.query(triggers));
  const { status, text } = await defineType(admin, WIDE_TYPE, `${MARK}wide`);
  if (status !== 200) throw new Error(`${WIDE_TYPE} could not be defined: ${text}`);
}

const triggers = `
  create function public.chaos_refuse() returns trigger language plpgsql as $$
  begin
    if new.name like '${MARK}%' then
      raise exception 'refused by chaos' using errcode = substring(new.name from ${MARK.length + 1} for 5);
    end if;
    return new;
  end $$;
  create function public.chaos_guard_accounts() returns event_trigger language plpgsql as $$
  declare made record;
  begin
    for made in select object_identity as name from pg_event_trigger_ddl_commands()
      where command_tag = 'CREATE TABLE' and object_identity in ('annals.account', 'annals_rebuild.account')
    loop
      execute format('create trigger chaos_refuse before insert or update on %s
        for each row execute function public.chaos_refuse()', made.name);
    end loop;
  end $$;
  create event trigger chaos_guard_accounts on ddl_command_end execute function public.chaos_guard_accounts();
  create trigger chaos_refuse before insert or update on annals.account
    for each row execute function public.chaos_refuse();`;

/** The quarantine that follows from the log. */
export interface ExpectedQuarantine {
  /** In the form `Type/id`. */
  readonly records: ReadonlySet<string>;
  readonly entityTypes: ReadonlySet<string>;
}

/** `definitions` are the events of the directory. */
export function expectQuarantine(
  events: readonly LoggedEvent[],
  definitions: readonly LoggedEvent[],
): ExpectedQuarantine {
  const isPoisoned = ({ changes }: LoggedEvent) => JSON.stringify(changes).includes(MARK);
  const records = events
    .filter(isPoisoned)
    .map(({ entityType, recordId }) => `${entityType}/${recordId}`);
  const broken = definitions
    .filter((event) => isPoisoned(event) && event.recordId !== WIDE_TYPE)
    .map(({ recordId }) => recordId);
  return { records: new Set(records), entityTypes: new Set(broken) };
}
