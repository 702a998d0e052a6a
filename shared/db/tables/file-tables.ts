/** The schema of file contents. The projector fills its tables from a separate topic. */
export const fileSchema = 'annals_files';
