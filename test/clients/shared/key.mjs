// The first key of a time, as uuidv7_min() returns it, and the time of a key.
export const bound = time => time.getTime().toString(16).padStart(12, '0')
  .replace(/^.{8}/, '$&-') + '-7000-8000-000000000000'

export const timeOf = id => new Date(parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
