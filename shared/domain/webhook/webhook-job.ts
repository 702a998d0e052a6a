/** The scheduled job that sends webhooks, by the name that the API, the CLI and the console use. */
export const webhookJobName = 'Process Webhook Queue';
