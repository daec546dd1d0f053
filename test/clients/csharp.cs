// Times and keys in C#, without a driver: standard input has 10,000 times, as microseconds since 1970, each
// with uuidv7_min(time).
using System;

static class Test
{
    static Guid Bound(DateTimeOffset time) => new Guid(time.AddTicks(9999)
        .ToUnixTimeMilliseconds().ToString("x12").Insert(8, "-") + "-7000-8000-000000000000");

    static DateTimeOffset TimeOf(Guid id) => DateTimeOffset
        .FromUnixTimeMilliseconds(Convert.ToInt64(id.ToString("N").Substring(0, 12), 16));

    static void Main()
    {
        var epoch = DateTimeOffset.FromUnixTimeMilliseconds(0);
        string line;
        int n = 0;
        while ((line = Console.ReadLine()) != null)
        {
            var fields = line.Split('\t');
            var time = epoch.AddTicks(long.Parse(fields[0]) * 10);
            var bound = Bound(time);
            if (bound != Guid.Parse(fields[1])) throw new Exception(time + ": " + bound);
            if (TimeOf(bound) < time || TimeOf(bound) - time >= TimeSpan.FromMilliseconds(1))
                throw new Exception(time + ": " + TimeOf(bound));
            n++;
        }
        if (n != 10000) throw new Exception(n + " times");
        Console.WriteLine("ok 1 - Bound equals uuidv7_min, and TimeOf returns its time");
    }
}
