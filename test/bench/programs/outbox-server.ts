// The yardstick of `writes`: the usual way to store a record and its event together.
import { randomUUID } from 'node:crypto';
import { type FastifyInstance, fastify } from 'fastify';
import pg from 'pg';
import type { OutboxServerRequest } from '../writes/start-outbox-server.ts';
import { serveParent } from './serve-parent.ts';

interface Contact {
  readonly salutationName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly title: string;
  readonly emailAddress: string;
  readonly addressCity: string;
  readonly addressCountry: string;
  readonly description: string;
}

const text = { type: 'string', maxLength: 100 };
const contactSchema = {
  type: 'object',
  required: ['lastName'],
  properties: {
    salutationName: text,
    firstName: text,
    lastName: text,
    title: text,
    emailAddress: text,
    addressCity: text,
    addressCountry: text,
    description: { type: 'string' },
  },
};

const tables = `
  create table contact (
    id uuid primary key, salutation_name text, first_name text, last_name text not null, title text,
    email_address text, address_city text, address_country text, description text,
    created_at timestamptz not null default now()
  );
  create index on contact (created_at, id);
  create table outbox (
    id bigint generated always as identity primary key, record_id uuid not null, type text not null,
    payload jsonb not null, created_at timestamptz not null default now()
  );
`;
const insertContact = {
  name: 'insert-contact',
  text: `insert into contact (id, salutation_name, first_name, last_name, title, email_address,
    address_city, address_country, description) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
};
const insertEvent = {
  name: 'insert-event',
  text: `insert into outbox (record_id, type, payload) values ($1, 'Contact.create', $2)`,
};

serveParent(async ({ databaseUrl, poolSize }: OutboxServerRequest) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  await pool.query(tables);
  const server = fastify();
  addContactRoute(server, pool);
  return server.listen({ host: '127.0.0.1', port: 0 });
});

function addContactRoute(server: FastifyInstance, pool: pg.Pool): void {
  server.post<{ Body: Contact }>(
    '/api/v1/Contact',
    { schema: { body: contactSchema } },
    async ({ body }) => {
      const record = { id: randomUUID(), ...body };
      const client = await pool.connect();
      try {
        await client.query('begin');
        await client.query({ ...insertContact, values: [...toRow(record)] });
        await client.query({ ...insertEvent, values: [record.id, JSON.stringify(record)] });
        await client.query('commit');
      } finally {
        client.release();
      }
      return record;
    },
  );
}

function toRow(record: Contact & { readonly id: string }): readonly string[] {
  return [
    record.id,
    record.salutationName,
    record.firstName,
    record.lastName,
    record.title,
    record.emailAddress,
    record.addressCity,
    record.addressCountry,
    record.description,
  ];
}
