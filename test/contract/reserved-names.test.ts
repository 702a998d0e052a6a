import { expect, it } from 'vitest';
import { findRoutes } from '../../infra/console/find-routes.ts';
import { readFieldName } from '../../shared/domain/field/definition/read-field-name.ts';

it('rejects names of fields and links that are also paths below a record, which would hide the link', async () => {
  const { routes } = await findRoutes();
  const names = routes.flatMap(
    ({ url }) => /^\/api\/v1\/:entity\/:id\/(\w+)$/.exec(url)?.[1] ?? [],
  );
  expect(names).toContain('history');
  for (const name of names) expect(() => readFieldName(name), name).toThrow('is not allowed');
});
