import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';

const POISON = '22003';
const topicPrefix = `quarantine-${process.pid}`;

let product: StartedProduct;
let api: ApiClient;
let admin: ApiClient;

beforeAll(async () => {
  product = await startProduct({ env: { ANNALS_TOPIC_PREFIX: topicPrefix } });
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
  admin = api.as(withPassword(product.access().admin));
  // A trigger that rejects what decisions accept, as a defect would.
  await inDatabase(`create function public.annals_refuse() returns trigger language plpgsql as $$
    begin
      if new.name = '${POISON}' then raise exception 'integer out of range' using errcode = '22003'; end if;
      return new;
    end $$`);
  await refuse('annals');
  // The tables of a rebuild reject it, too.
  await inDatabase(`create function public.annals_refuse_in_rebuild() returns event_trigger language plpgsql as $$
    begin
      if exists (select from pg_event_trigger_ddl_commands()
          where command_tag = 'CREATE TABLE' and object_identity = 'annals_rebuild.account') then
        create trigger refuse before insert or update on annals_rebuild.account
          for each row execute function public.annals_refuse();
      end if;
    end $$;
    create event trigger refuse_in_rebuild on ddl_command_end execute function public.annals_refuse_in_rebuild()`);
});

afterAll(async () => {
  admin?.close();
  api?.close();
  await product?.remove();
});

const inDatabase = (sql: string) =>
  withClient(product.access().postgres.url, async (client) => (await client.query(sql)).rows);
const refuse = (schema: string) =>
  inDatabase(`create trigger refuse before insert or update on ${schema}.account
    for each row execute function public.annals_refuse()`);

const annals = (...args: readonly string[]) =>
  runCli([...args, '--data-dir', product.dataDir], { ANNALS_TOPIC_PREFIX: topicPrefix });

const rejectedOf = async (id: string) => {
  const { list } = (await admin.get('/System/rejectedEntries')).body as {
    list: readonly { id: string; recordId: string | null; reason: string }[];
  };
  return list.filter(({ recordId }) => recordId === id);
};

const idOf = async (name: string) => {
  const rows = await inDatabase(
    `select record_id from annals.rejected_entries where record_id is not null order by log_offset desc`,
  );
  expect(rows, name).not.toEqual([]);
  return String(rows[0]?.record_id);
};

const isServing = async () => {
  const other = recordIn(await api.post('/Account', { name: `Other ${crypto.randomUUID()}` }));
  expect((await api.get(`/Account/${other.id}`)).status).toBe(200);
};

describe('a change that the tables reject', () => {
  it('fails with 500, quarantines its record with 409 and affects no other request', async () => {
    const refused = await api.post('/Account', { name: POISON });
    expect(refused).toMatchObject({ status: 500, body: { code: 'change.unstorable' } });
    await isServing();
    const id = await idOf('created');
    for (const answer of [
      await api.get(`/Account/${id}`),
      await api.get(`/Account/${id}/history`),
      await api.put(`/Account/${id}`, { website: 'https://example.org' }),
      await api.delete(`/Account/${id}`),
    ]) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'record.quarantined' } });
    }
    expect((await admin.get('/System/readyz')).status).not.toBe(503);
    await isServing();
  });

  it('is rejected again under its Idempotency-Key and creates no second record', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const first = await api.post('/Account', { name: POISON }, headers);
    const second = await api.post('/Account', { name: POISON }, headers);
    expect([first.status, second.status]).toEqual([500, 409]);
  });

  it('can be discarded by an administrator to restore the previous state', async () => {
    const { id } = recordIn(
      await api.post('/Account', { name: 'Kept', website: 'https://a.example' }),
    );
    const before = recordIn(await api.get(`/Account/${id}`));
    const changed = await api.put(`/Account/${id}`, { name: POISON, website: 'https://b.example' });
    expect(changed.status).toBe(500);
    const [entry] = await rejectedOf(String(id));
    expect(entry).toMatchObject({ reason: expect.stringContaining('integer out of range') });
    const retried = await admin.post(`/System/rejectedEntries/${entry?.id}/retry`, {});
    expect(retried.body).toMatchObject({
      released: false,
      reason: expect.stringContaining('22003'),
    });
    expect((await api.post(`/System/rejectedEntries/${entry?.id}/discard`, {})).status).toBe(403);
    expect((await admin.post(`/System/rejectedEntries/${entry?.id}/discard`, {})).status).toBe(200);

    expect(await rejectedOf(String(id))).toEqual([]);
    const after = recordIn(await api.get(`/Account/${id}`));
    expect(after).toMatchObject({ name: before['name'], website: before['website'] });
    expect((await api.put(`/Account/${id}`, { website: 'https://c.example' })).status).toBe(200);
  });

  it('is discarded together with its record if it created the record', async () => {
    expect((await api.post('/Account', { name: POISON })).status).toBe(500);
    const id = await idOf('created');
    const [entry] = await rejectedOf(id);
    expect(await annals('rejected', 'discard', String(entry?.id), '--yes')).toMatchObject({
      stderr: '',
      stdout: '1 entry discarded.\n',
    });
    expect((await api.get(`/Account/${id}`)).status).toBe(404);
  });

  it('is reported by doctor and quarantined again by a rebuild', async () => {
    expect((await api.post('/Account', { name: POISON })).status).toBe(500);
    const id = await idOf('created');
    const doctor = await annals('doctor');
    expect(doctor.stdout).toContain(`quarantines Account ${id}`);
    expect((await annals('rebuild', '--yes')).stdout).toContain('rebuilt');
    expect(await rejectedOf(id)).toHaveLength(1);
    expect((await api.get(`/Account/${id}`)).status).toBe(409);
  });

  it('is stored by a retry once the tables accept it', async () => {
    await inDatabase('drop trigger refuse on annals.account');
    const rows = await inDatabase(
      'select distinct record_id from annals.rejected_entries where record_id is not null',
    );
    for (const { record_id: id } of rows) {
      const [entry] = await rejectedOf(id);
      await annals('rejected', 'retry', String(entry?.id));
      expect((await api.get(`/Account/${id}`)).status).toBe(200);
    }
    const verified = await annals('verify');
    expect(verified.stdout).toContain('Postgres matches the log');
  });
});

describe('tables that reject every record', () => {
  it('stop the projector and are reported by readiness and doctor', async () => {
    await inDatabase(
      'alter table annals.contact add constraint refuse_all check (false) not valid',
    );
    const before = await api.get('/Contact');
    const late = api.post('/Contact', { lastName: 'Waiting' });
    await eventually(async () => {
      const doctor = await annals('doctor');
      expect(doctor.stdout).toMatch(
        /The projector process is not ready: projection: .*refuse_all.*offset \d+/,
      );
    });
    const ready = await api.send({ method: 'GET', target: '/readyz' });
    expect(ready).toMatchObject({
      status: 200,
      body: {
        checks: { projection: false },
        reasons: { projection: expect.stringContaining('refuse_all') },
      },
    });
    expect((await api.get('/Contact')).body).toEqual(before.body);
    await inDatabase('alter table annals.contact drop constraint refuse_all');
    expect((await late).status).toBe(200);
    expect(
      await inDatabase('select 1 from annals.rejected_entries where record_id is not null'),
    ).toEqual([]);
  });
});
