/** The variable by which the test files of a run find the host that its global setup has started. */
export const hostVariable = 'ANNALS_TESTING_HOST';
