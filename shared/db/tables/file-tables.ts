/** The schema of file contents. The projector fills its tables from a topic of their own. */
export const fileSchema = 'annals_files';
