import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { unique } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';
import { type Subscriber, startSubscriber } from '../support/receivers/subscriber.ts';

let annals: StartedAnnals;
let admin: ApiClient;
let subscriber: Subscriber;
let people: Readonly<Record<'ann' | 'bob' | 'cid' | 'dan', Person>>;
let teams: Readonly<Record<'sales' | 'north', string>>;

interface Person {
  readonly id: string;
  readonly client: ApiClient;
}

/** Creates an API user with this role, which grants access to no records of other users. */
async function makePerson(role: object, teamsIds: readonly string[] = []): Promise<Person> {
  const name = unique('Poster');
  const rolesIds = [recordIn(await admin.post('/Role', { name, ...role })).id];
  const userName = name.toLowerCase().replaceAll(' ', '-');
  const user = recordIn(
    await admin.post('/User', { userName, type: 'api', authMethod: 'ApiKey', rolesIds, teamsIds }),
  );
  return { id: user.id, client: admin.as(withApiKey({ apiKey: String(user['apiKey']) })) };
}

const makeTeam = async () => recordIn(await admin.post('/Team', { name: unique('Team') })).id;

beforeAll(async () => {
  subscriber = await startSubscriber();
  annals = await startAnnals({
    env: {
      WEBHOOK_QUEUE_INTERVAL: '1s',
      WEBHOOK_QUEUE_EVENT_PORTION_SIZE: '0',
      WEBHOOK_QUEUE_PORTION_SIZE: '0',
      WEBHOOK_ALLOWED_ADDRESSES: subscriber.address,
    },
  });
  admin = createApiClient(annals.url, withPassword(annals.admin));
  teams = { sales: await makeTeam(), north: await makeTeam() };
  const data = { Webhook: true, GlobalStream: true };
  people = {
    ann: await makePerson({ data, messagePermission: 'all' }),
    bob: await makePerson({ data, messagePermission: 'team' }, [teams.sales]),
    cid: await makePerson({ data }, [teams.sales]),
    dan: await makePerson({ data, userPermission: 'all' }),
  };
});

afterAll(async () => {
  admin?.close();
  await annals?.stop();
  await subscriber?.close();
});

const post = async (by: Person, to: object, text = unique('Post')) => {
  const answer = await by.client.post('/Note', { type: 'Post', post: text, ...to });
  return recordIn(answer);
};

const postsIn = async (reader: ApiClient, path: string) =>
  listIn(await reader.get(path)).list.map(({ id }) => id);

/** Returns which reads of the API show a post to a reader. */
async function seenBy(reader: ApiClient, id: string) {
  const { status } = await reader.get(`/Note/${id}`);
  const history = await reader.get(`/Note/${id}/history`);
  const stream = await postsIn(reader, '/Stream?maxSize=200');
  const listed = await postsIn(reader, '/Note?maxSize=200');
  return {
    read: status,
    history: history.status,
    isInStream: stream.includes(id),
    isListed: listed.includes(id),
  };
}

const seen = { read: 200, history: 200, isInStream: true, isListed: true };
const hidden = { read: 403, history: 403, isInStream: false, isListed: false };

const forPost = { parentType: 'Note', field: 'attachments', name: 'a.txt', type: 'text/plain' };
const forAvatar = { relatedType: 'User', field: 'avatar', name: 'me.png', type: 'image/png' };

async function upload(client: ApiClient, place: typeof forPost | typeof forAvatar) {
  const file = `data:${place.type};base64,aGk=`;
  return recordIn(await client.post('/Attachment', { ...place, role: 'Attachment', file })).id;
}

describe('a post without a parent', () => {
  it('is visible only to its addressees and its author', async () => {
    const { ann, bob, cid, dan } = people;
    const to = { targetType: 'users', usersIds: [bob.id, cid.id] };
    const made = await post(ann, to, 'Hello');
    expect(made).toMatchObject({ ...to, parentId: null, teamsIds: [], post: 'Hello' });

    for (const { client } of [ann, bob, cid]) expect(await seenBy(client, made.id)).toEqual(seen);
    expect(await seenBy(dan.client, made.id)).toEqual(hidden);
    expect(await seenBy(admin, made.id)).toEqual({ ...seen, isInStream: false });
    const item = listIn(await bob.client.get('/Stream')).list.find(({ id }) => id === made.id);
    expect(item).toMatchObject({
      type: 'Post',
      post: 'Hello',
      parentType: null,
      parentId: null,
      createdById: ann.id,
      targetType: 'users',
      usersIds: [bob.id, cid.id],
    });
  });

  it('is shown to the members of a team until they leave the team', async () => {
    const { ann, bob, dan } = people;
    const member = await makePerson({}, [teams.north]);
    const made = await post(ann, { targetType: 'teams', teamsIds: [teams.north] });

    expect(await seenBy(member.client, made.id)).toEqual(seen);
    expect(await seenBy(bob.client, made.id)).toEqual(hidden);
    expect(await seenBy(dan.client, made.id)).toEqual(hidden);
    await admin.put(`/User/${member.id}`, { teamsIds: [] });
    expect(await seenBy(member.client, made.id)).toEqual(hidden);
  });

  it('is visible to everyone if sent to all and to its author if sent to oneself', async () => {
    const { ann, bob, cid, dan } = people;
    const toAll = await post(ann, { targetType: 'all' });
    const toSelf = await post(cid, { targetType: 'self' });

    for (const { client } of [ann, bob, cid, dan]) {
      expect(await seenBy(client, toAll.id)).toEqual(seen);
    }
    expect(await seenBy(admin, toAll.id)).toEqual(seen);
    expect(await seenBy(cid.client, toSelf.id)).toEqual(seen);
    for (const { client } of [ann, bob, dan]) {
      expect(await seenBy(client, toSelf.id)).toEqual(hidden);
    }
  });

  it("is absent from other users' searches, the global stream and exports", async () => {
    const { ann, bob, dan } = people;
    const text = unique('Needle').replaceAll(' ', '');
    const made = await post(ann, { targetType: 'users', usersIds: [bob.id] }, text);
    const find = async ({ client }: Person) => {
      const filter = encodeURIComponent(text);
      return postsIn(client, `/Note?textFilter=${filter}`);
    };

    expect([await find(bob), await find(dan)]).toEqual([[made.id], []]);
    const whole = { entityType: 'Note', format: 'csv' };
    expect((await admin.post('/Export', whole)).body).toMatchObject({ code: 'export.not_allowed' });
    for (const client of [ann.client, bob.client, dan.client, admin]) {
      expect(await postsIn(client, '/GlobalStream?maxSize=200')).not.toContain(made.id);
    }
  });

  it('appears in the streams of its author and addressees that the reader may see', async () => {
    const { ann, bob, cid, dan } = people;
    const made = await post(ann, { targetType: 'users', usersIds: [bob.id] });
    const toAll = await post(ann, { targetType: 'all' });
    const streamOf = async (reader: ApiClient, owner: Person) =>
      postsIn(reader, `/User/${owner.id}/stream?maxSize=200`);

    expect(await streamOf(bob.client, bob)).toEqual(
      await postsIn(bob.client, '/Stream?maxSize=200'),
    );
    expect(await streamOf(admin, ann)).toEqual(expect.arrayContaining([made.id, toAll.id]));
    expect(await streamOf(admin, bob)).toContain(made.id);
    expect(await streamOf(admin, cid)).not.toContain(made.id);
    expect(await postsIn(admin, `/User/${bob.id}/posts?maxSize=200`)).toContain(made.id);
    const role = { data: { User: { read: 'all' } }, userPermission: 'all' };
    const curious = await makePerson(role);
    expect(await streamOf(curious.client, ann)).toContain(toAll.id);
    expect(await streamOf(curious.client, ann)).not.toContain(made.id);
    const restricted = await makePerson({ data: role.data, userPermission: 'team' });
    for (const { client } of [restricted, dan]) {
      expect((await client.get(`/User/${ann.id}/stream`)).status).toBe(403);
    }
    expect((await admin.get('/User/unknown/stream')).status).toBe(404);
  });

  it('can be changed and deleted by its author and keeps its addressees', async () => {
    const { ann, bob, cid } = people;
    const { id } = await post(ann, { targetType: 'users', usersIds: [bob.id] });
    const change = { post: 'Changed', usersIds: [cid.id], targetType: 'all' };

    expect((await bob.client.put(`/Note/${id}`, change)).status).toBe(403);
    expect((await ann.client.put(`/Note/${id}`, change)).status).toBe(200);
    expect(recordIn(await bob.client.get(`/Note/${id}`))).toMatchObject({
      post: 'Changed',
      targetType: 'users',
      usersIds: [bob.id],
    });
    for (const client of [admin, ann.client]) {
      expect((await client.post(`/Note/${id}/users`, { id: cid.id })).status).toBe(403);
      expect((await client.delete(`/Note/${id}/users`, { id: bob.id })).status).toBe(403);
    }
    expect((await bob.client.delete(`/Note/${id}`)).status).toBe(403);
    expect((await ann.client.delete(`/Note/${id}`)).status).toBe(200);
    expect((await bob.client.get(`/Note/${id}`)).status).toBe(404);
    expect(await postsIn(bob.client, '/Stream?maxSize=200')).not.toContain(id);
  });

  it('accepts reactions from its readers but cannot be pinned', async () => {
    const { ann, bob, dan } = people;
    const { id } = await post(ann, { targetType: 'users', usersIds: [bob.id] });

    expect((await bob.client.post(`/Note/${id}/myReactions/Like`)).status).toBe(200);
    expect((await dan.client.post(`/Note/${id}/myReactions/Like`)).status).toBe(403);
    expect(recordIn(await ann.client.get(`/Note/${id}`))).toMatchObject({
      reactionCounts: { Like: 1 },
      isPinned: false,
    });
    const pinned = await bob.client.post(`/Note/${id}/pin`);
    expect(pinned).toMatchObject({ status: 400, body: { code: 'note.no_stream' } });
    expect((await dan.client.post(`/Note/${id}/pin`)).status).toBe(403);
  });

  it('shares its files with its readers', async () => {
    const { ann, bob, dan } = people;
    const id = await upload(ann.client, forPost);
    await post(ann, { targetType: 'users', usersIds: [bob.id], attachmentsIds: [id] });

    expect((await bob.client.get(`/Attachment/file/${id}`)).text).toBe('hi');
    expect((await dan.client.get(`/Attachment/file/${id}`)).status).toBe(403);
  });

  it('is sent only to webhooks of its author and addressees', async () => {
    const { ann, bob, dan } = people;
    for (const [name, { client }] of Object.entries({ ann, bob, dan })) {
      await registerWebhook(client, { event: 'Note.create', url: subscriber.url(`/${name}`) });
    }
    const toBob = await post(ann, { targetType: 'users', usersIds: [bob.id] });
    const toAll = await post(ann, { targetType: 'all' });
    await eventually(() => {
      for (const name of ['ann', 'bob', 'dan']) {
        expect(subscriber.events(`/${name}`).map(({ id }) => id)).toContain(toAll.id);
      }
    });
    const receivers = ['ann', 'bob', 'dan'].filter((name) =>
      subscriber.events(`/${name}`).some(({ id }) => id === toBob.id),
    );
    expect(receivers).toEqual(['ann', 'bob']);
  });
});

describe('addressees of a post', () => {
  it.each([
    ['everyone without permission', 'cid', { targetType: 'all' }],
    ['another user without permission', 'cid', { targetType: 'users', usersIds: ['admin'] }],
    ['a user of no common team', 'bob', { targetType: 'users', usersIds: ['admin'] }],
    ['everyone with permission for teams', 'bob', { targetType: 'all' }],
  ] as const)('cannot be %s: 403', async (_, by, to) => {
    const answer = await people[by].client.post('/Note', { type: 'Post', post: 'x', ...to });
    expect(answer).toMatchObject({ status: 403, body: { code: 'note.denied' } });
  });

  it('can be the teams of the author and their members with messagePermission team', async () => {
    const { bob, cid } = people;
    for (const to of [
      { targetType: 'users', usersIds: [cid.id, bob.id] },
      { targetType: 'teams', teamsIds: [teams.sales] },
    ]) {
      expect(await seenBy(cid.client, (await post(bob, to)).id)).toEqual(seen);
    }
    const to = { targetType: 'teams', teamsIds: [teams.sales, teams.north] };
    const answer = await bob.client.post('/Note', { type: 'Post', post: 'x', ...to });
    expect(answer).toMatchObject({ status: 403, body: { code: 'note.denied' } });
  });

  it.each([
    ['an unknown user', { targetType: 'users', usersIds: ['unknown'] }],
    ['an unknown team', { targetType: 'teams', teamsIds: ['unknown'] }],
    ['portals', { targetType: 'portals' }],
    ['an unknown target type', { targetType: 'some' }],
    ['users without ids', { targetType: 'users', usersIds: [] }],
    ['teams with users', { targetType: 'teams', usersIds: ['admin'] }],
    ['users without a target type', { usersIds: ['admin'] }],
    ['a target type with a parent', { targetType: 'all', parentType: 'Case', parentId: 'c' }],
    ['neither a parent nor a target type', {}],
    ['ids that are not a list', { targetType: 'users', usersIds: 'admin' }],
  ])('cannot be %s: 400', async (_, to) => {
    const answer = await people.ann.client.post('/Note', { type: 'Post', post: 'x', ...to });
    expect(answer).toMatchObject({ status: 400, body: { code: 'record.invalid' } });
  });
});

describe('a file that is replaced or removed', () => {
  /** Reads the file and its record, as its uploader and as an administrator. */
  const statusesOf = async (uploader: ApiClient, id: string) => {
    const read = async (client: ApiClient) => [
      (await client.get(`/Attachment/${id}`)).status,
      (await client.get(`/Attachment/file/${id}`)).status,
    ];
    return [...(await read(uploader)), ...(await read(admin))];
  };
  const readable = [200, 200, 200, 200];
  const released = [404, 404, 404, 404];

  it('is released by a post and readable again once the post contains it again', async () => {
    const { ann } = people;
    const [first, second] = [await upload(ann.client, forPost), await upload(ann.client, forPost)];
    const made = await post(ann, { targetType: 'self', attachmentsIds: [first] });
    const hold = async (...attachmentsIds: string[]) =>
      recordIn(await ann.client.put(`/Note/${made.id}`, { attachmentsIds }));

    expect(await statusesOf(ann.client, first)).toEqual(readable);
    await hold(second);
    expect(await statusesOf(ann.client, first)).toEqual(released);
    expect(await statusesOf(ann.client, second)).toEqual(readable);
    await hold();
    expect(await statusesOf(ann.client, second)).toEqual(released);
    await hold(first);
    expect(await statusesOf(ann.client, first)).toEqual(readable);
  });

  it('is released by the user whose avatar it was', async () => {
    const [first, second] = [await upload(admin, forAvatar), await upload(admin, forAvatar)];
    const { id } = await makePerson({});
    const show = async (avatarId: string | null) =>
      recordIn(await admin.put(`/User/${id}`, { avatarId }));

    await show(first);
    expect(await statusesOf(admin, first)).toEqual(readable);
    await show(second);
    expect(await statusesOf(admin, first)).toEqual(released);
    await show(null);
    expect(await statusesOf(admin, second)).toEqual(released);
  });
});
