/** The objects whose keys begin with `<name>/`. The keys of a store may be restricted to some categories. */
export interface ObjectCategory {
  name: string
  /**
   * What happens without the right to read and write these objects. `fatal`: the store cannot be used. `unchecked`: the
   * right is not checked at the start. Else a warning.
   */
  withoutRights: 'fatal' | 'unchecked' | { warning: string }
  /** The consequence if a rule of the bucket deletes these objects, for a warning. Absent: none. */
  ifDeleted?: string
}
