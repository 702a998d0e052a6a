import { expect, it } from 'vitest';
import { findRoutes } from '../../infra/console/find-routes.ts';
import { readFieldName } from '../../shared/domain/field/definition/read-field-name.ts';

it('rejects field and link names that are also paths below a record', async () => {
  const { routes } = await findRoutes();
  const names = routes.flatMap(
    ({ url }) => /^\/api\/v1\/:entity\/:id\/(\w+)$/.exec(url)?.[1] ?? [],
  );
  expect(names).toContain('history');
  for (const name of names) expect(() => readFieldName(name), name).toThrow('is not allowed');
});
