import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import {
  type MailServer,
  type ReceivedEmail,
  startMailServer,
} from '../support/receivers/start-mail-server.ts';

const MINUTE_MS = 60_000;
const siteUrl = 'https://annals.example.com';

let server: MailServer;
let annals: StartedAnnals;
let admin: ApiClient;
/** How far the clock of Annals is ahead. */
let aheadMs = 0;
let users = 0;

beforeAll(async () => {
  server = await startMailServer();
  annals = await startAnnals({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      MAIL_FROM: 'annals@example.com',
      PUBLIC_URL: siteUrl,
    },
  });
  admin = createApiClient(annals.url, withPassword(annals.admin));
});

afterAll(async () => {
  admin?.close();
  await annals?.stop();
  await server?.close();
});

async function advance(minutes: number): Promise<void> {
  aheadMs += minutes * MINUTE_MS;
  await annals.clock.advance(minutes * MINUTE_MS);
}

const inMinutes = (minutes: number) =>
  new Date(Date.now() + aheadMs + minutes * MINUTE_MS).toISOString().slice(0, 19).replace('T', ' ');
const byEmail = (...minutes: readonly number[]) =>
  minutes.map((one) => ({ type: 'Email', seconds: one * 60 }));

async function createUser(
  values: Readonly<Record<string, unknown>> = {},
  preferences: object = {},
  access: unknown = { create: 'yes', read: 'all', edit: 'all' },
) {
  users += 1;
  const userName = `reminded${users}`;
  const emailAddress = `${userName}@example.com`;
  const data = { Meeting: access, Task: access, Call: access };
  const role = recordIn(await admin.post('/Role', { name: userName, data }));
  const body = { userName, lastName: 'Doe', password: 'first password', emailAddress };
  const { id } = recordIn(await admin.post('/User', { ...body, rolesIds: [role.id], ...values }));
  if (Object.keys(preferences).length > 0) {
    const client = admin.as(withPassword({ userName, password: 'first password' }));
    const { status, text } = await client.put(`/Preferences/${id}`, preferences);
    expect(status, text).toBe(200);
  }
  return { id, emailAddress };
}

const create = async (type: string, values: object) =>
  recordIn(await admin.post(`/${type}`, { name: 'Review', ...values }));

const aMeeting = (assignedUserId: string, startsIn: number, values: object = {}) =>
  create('Meeting', {
    assignedUserId,
    dateStart: inMinutes(startsIn),
    dateEnd: inMinutes(startsIn + 30),
    ...values,
  });

/** Waits for the n-th e-mail to an address, longer than the api takes to look for due reminders. */
async function emailIn(
  { received }: Pick<MailServer, 'received'>,
  address: string,
  nth = 1,
): Promise<ReceivedEmail> {
  return eventually(
    () => {
      const found = received(address)[nth - 1];
      if (found === undefined) throw new Error(`no e-mail to ${address}`);
      return found;
    },
    { timeoutMs: 20_000 },
  );
}

/** Waits until all reminders that are due have been queued and sent: one that is created last is sent. */
async function untilReminded(): Promise<void> {
  const { id, emailAddress } = await createUser();
  await aMeeting(id, 5, { reminders: byEmail(5) });
  await emailIn(server, emailAddress);
}

describe('a reminder by e-mail', () => {
  it('is sent once when it is due, in the language and time zone of the user', async () => {
    const preferences = { language: 'de_DE', timeZone: 'Asia/Tokyo' };
    const ann = await createUser({}, preferences);
    const { id } = await aMeeting(ann.id, 20, { name: 'Prüfung', reminders: byEmail(10) });
    const start = String(recordIn(await admin.get(`/Meeting/${id}`))['dateStart']);
    await untilReminded();
    expect(server.received(ann.emailAddress)).toEqual([]);
    await advance(11);
    const { raw } = await emailIn(server, ann.emailAddress);
    const [subject = ''] = /(?<=^Subject: ).*$/m.exec(raw) ?? [];
    expect(Buffer.from(subject, 'utf8').toString()).toMatch(/Erinnerung: Pr|=\?UTF-8\?/);
    const time = new Date(Date.parse(`${start.replace(' ', 'T')}Z`) + 9 * 60 * MINUTE_MS);
    expect(raw).toContain(`um ${time.toISOString().slice(11, 16)} GMT+9`);
    expect(raw).toContain(`${siteUrl}/records/Meeting/${id}`);
    await untilReminded();
    expect(server.received(ann.emailAddress).length).toBe(1);
    const { list } = listIn(await admin.get('/System/mail'));
    expect(list.filter(({ userId }) => userId === ann.id)).toMatchObject([
      { kind: 'reminder', status: 'sent' },
    ]);
  });

  it('is sent again if the activity is moved, and only for the latest of several lead times', async () => {
    const ann = await createUser();
    const { id } = await aMeeting(ann.id, 4, { reminders: byEmail(5, 30) });
    expect((await emailIn(server, ann.emailAddress)).raw).toContain('Subject: Reminder: Review');
    await admin.put(`/Meeting/${id}`, { dateStart: inMinutes(3), dateEnd: inMinutes(60) });
    await emailIn(server, ann.emailAddress, 2);
    await untilReminded();
    expect(server.received(ann.emailAddress).length).toBe(2);
  });

  it('is sent to everyone who takes part, by the rule for popups', async () => {
    const [ann, bob, declined, blind] = [
      await createUser(),
      await createUser(),
      await createUser(),
      await createUser({}, {}, { create: 'yes', read: 'own' }),
    ];
    const inactive = await createUser();
    const homeless = await createUser({ emailAddress: null });
    const usersIds = [bob, declined, blind, inactive, homeless].map(({ id }) => id);
    const { id } = await aMeeting(ann.id, 60, {
      usersIds,
      usersColumns: { [declined.id]: { status: 'Declined' } },
      reminders: byEmail(30),
    });
    await aMeeting(ann.id, 60, { reminders: byEmail(30), status: 'Held' });
    await aMeeting(ann.id, 60, { reminders: [{ type: 'Popup', seconds: 1_800 }] });
    await admin.put(`/User/${inactive.id}`, { isActive: false });
    await advance(31);
    for (const user of [ann, bob]) {
      expect((await emailIn(server, user.emailAddress)).raw).toContain(`Meeting/${id}`);
    }
    await untilReminded();
    for (const user of [ann, bob]) expect(server.received(user.emailAddress).length).toBe(1);
    for (const user of [declined, blind, inactive]) {
      expect(server.received(user.emailAddress)).toEqual([]);
    }
  });

  it('follows the default reminders of a user, and the due date of tasks', async () => {
    const preferences = { defaultReminders: byEmail(15), defaultRemindersTask: byEmail(0) };
    const ann = await createUser({}, preferences);
    const bob = await createUser();
    const meeting = await aMeeting(ann.id, 20, { usersIds: [bob.id] });
    await aMeeting(ann.id, 20, { reminders: [] });
    const task = await create('Task', { assignedUserId: ann.id, dateEnd: inMinutes(12) });
    await advance(6);
    expect((await emailIn(server, ann.emailAddress)).raw).toContain(`Meeting/${meeting.id}`);
    await advance(7);
    const { raw } = await emailIn(server, ann.emailAddress, 2);
    expect(raw).toContain(`Task/${task.id}`);
    expect(raw).toContain('Due: ');
    await untilReminded();
    expect(server.received(ann.emailAddress).length).toBe(2);
    expect(server.received(bob.emailAddress)).toEqual([]);
  });

  it('of a whole day is sent at midnight on the clock of the user', async () => {
    const east = await createUser({}, { timeZone: 'Pacific/Kiritimati' });
    const utc = await createUser();
    // 14 hours before midnight in UTC, a day begins in Kiritimati.
    const now = new Date(Date.now() + aheadMs);
    const untilTen = 34 * 60 + 1 - now.getUTCHours() * 60 - now.getUTCMinutes();
    await advance(untilTen);
    const day = inMinutes(24 * 60).slice(0, 10);
    await create('Meeting', {
      assignedUserId: east.id,
      usersIds: [utc.id],
      dateStartDate: day,
      dateEndDate: day,
      isAllDay: true,
      reminders: byEmail(0),
    });
    expect((await emailIn(server, east.emailAddress)).raw).toContain('Start: ');
    await untilReminded();
    expect(server.received(utc.emailAddress)).toEqual([]);
    await advance(14 * 60);
    await emailIn(server, utc.emailAddress);
    expect(server.received(east.emailAddress).length).toBe(1);
  });

  it('is dropped an hour after its time', async () => {
    const ann = await createUser();
    await aMeeting(ann.id, 90, { reminders: byEmail(151) });
    await untilReminded();
    expect(server.received(ann.emailAddress)).toEqual([]);
  });
});
