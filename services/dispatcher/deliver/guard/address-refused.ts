/** No connection was made, since its target is not one that requests may go to. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}
