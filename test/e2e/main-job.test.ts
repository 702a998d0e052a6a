import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient } from '../support/api-client.ts';
import { withApiKey } from '../support/credentials.ts';
import { type StartedProduct, startProduct } from '../support/product.ts';
import { aCase, aContact, aLead, anAccount, unique } from '../support/record-builders.ts';

let product: StartedProduct;
let api: ApiClient;
beforeAll(async () => {
  product = await startProduct();
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
});
afterAll(async () => { api?.close(); await product?.remove(); });
it('x', async () => {
  for (const [e, b] of [['Account', anAccount()], ['Contact', aContact()], ['Lead', aLead()], ['Case', aCase()]] as const) {
    const c = await api.post(`/${e}`, b);
    console.log(c.status, c.text);
    const g = await api.get(`/${e}/${(c.body as any).id}`);
    console.log(g.status, g.text === c.text, g.text);
    const l = await api.get(`/${e}`);
    console.log(l.status, l.text);
  }
});
