/** The scheduled job that sends webhooks, as named in the API, the CLI and the console. */
export const webhookJobName = 'Process Webhook Queue';
