import { readListRequest } from '../../../services/query/http/request/read-list-request.ts';
import { createListRecords } from '../../../services/query/search/list/list-records.ts';
import { createReadRecord } from '../../../services/query/search/record/read-record.ts';
import type { SearchDeps } from '../../../services/query/search/rows/finish-rows.ts';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import { buildActor } from '../../../shared/domain/access/build-actor.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { createPrepare } from '../../../shared/search/prepare-statement.ts';
import { viewFor } from '../../../shared/search/record-view.ts';
import { contactModel } from '../contact-values.ts';
import { type Reader, readsContacts } from './make-readers.ts';
import { filteredWhere } from './search-cases.ts';

interface CapturedStatement {
  readonly text: string;
  readonly name?: string;
  readonly values: unknown[];
}

export interface ReadStatements {
  /** The id is its only parameter. */
  readonly byId: CapturedStatement;
  readonly list: CapturedStatement;
  /** Of the Contacts of the reader alone. */
  readonly filtered: CapturedStatement;
}

/** The SQL of the query service itself, taken from between it and its database. */
export async function captureReadStatements(reader: Reader): Promise<ReadStatements> {
  const model = contactModel();
  const findModel = createDirectory(stockDefinitions).entity;
  const captureList = (actor: Actor, query: Readonly<Record<string, string>>) => {
    const view = viewFor(actor, model, findModel);
    const request = readListRequest({ maxSize: '20', ...query }, undefined);
    return capture((deps) => createListRecords(deps)({ actor, model, view, request }));
  };
  const all = toActor({ userId: 'bench', teamId: 'bench' }, { Contact: { read: 'all' } });
  const view = viewFor(all, model, findModel);
  return {
    byId: await capture((deps) => createReadRecord(deps)({ actor: all, model, view, id: 'any' })),
    list: await captureList(all, {}),
    filtered: await captureList(toActor(reader, readsContacts('own')), { where: filteredWhere }),
  };
}

function toActor({ userId: id, teamId }: Pick<Reader, 'userId' | 'teamId'>, data: object): Actor {
  const role = { entityType: 'Role', id: 'bench', version: 1, deleted: false };
  return buildActor({ id, name: 'Bench', userName: 'bench', type: 'api', teamIds: [teamId] }, [
    { ...role, values: { data: { Account: { read: 'all' }, ...data } } },
  ]);
}

class Captured extends Error {
  readonly statement: CapturedStatement;

  constructor(statement: CapturedStatement) {
    super('captured');
    this.statement = statement;
  }
}

async function capture(read: (deps: SearchDeps) => Promise<unknown>): Promise<CapturedStatement> {
  const pool: SearchDeps['pool'] = {
    query: async (statement) => {
      throw new Captured(statement);
    },
  };
  const deps: SearchDeps = {
    pool,
    searchPool: { of: () => pool },
    directory: createDirectory(stockDefinitions),
    openSecret: (sealed) => sealed,
    prepare: createPrepare(),
  };
  const captured = await read(deps).catch((error: unknown) => error);
  if (captured instanceof Captured) return captured.statement;
  throw new Error('the query service asked its database for nothing', { cause: captured });
}
