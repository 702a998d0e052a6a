/** No connection was made, because requests may not go to the target. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}
