import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';

const root = join(import.meta.dirname, '..', '..');
let product: StartedProduct;

beforeAll(async () => {
  product = await startProduct({ root, args: ['--dev'], env: { ANNALS_INSPECT: 'projector' } });
});
afterAll(() => product?.remove());

const addressIn = (pattern: RegExp): string => pattern.exec(product.output())?.[1] ?? '';

it('npm run dev restarts a service whose sources change and keeps the others running', async () => {
  const before = product.access().processes;
  const now = new Date();
  utimesSync(join(root, 'services', 'projector', 'main.ts'), now, now);

  await eventually(() => {
    expect(product.access().processes.projector).not.toBe(before.projector);
  });
  await product.waitUntilReady('projector');
  const { projector: _, ...others } = product.access().processes;
  expect(others).toEqual({ ...others, api: before.api, dispatcher: before.dispatcher });
  expect(product.output()).toContain('The sources of projector have changed');
});

it('npm run dev serves the console from its sources and forwards requests to the api', async () => {
  const url = addressIn(/^Open (\S+) in a browser/m);
  await eventually(async () => {
    expect(await (await fetch(url)).text()).toContain('/@vite/client');
  });
  expect((await fetch(`${url}/api/v1/Account`)).status).toBe(401);
});

it('npm run dev starts the service named by ANNALS_INSPECT with an inspector', async () => {
  const address = addressIn(/^The projector accepts debuggers at (\S+)$/m);
  await eventually(async () => {
    const [target] = (await (await fetch(`http://${address}/json`)).json()) as [{ title: string }];
    expect(target.title).toContain(join('services', 'projector', 'main.ts'));
  });
});
