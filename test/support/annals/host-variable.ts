/** The environment variable with the address of the host that the global setup has started. */
export const hostVariable = 'ANNALS_TESTING_HOST';
