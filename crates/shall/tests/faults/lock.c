static struct { int64_t place; } memory;

void reset(void)
{
    memory.place = 0;
}

void step(monitor_input *io)
{
    int64_t before = memory.place;
    if (io->master) {
        memory.place = 3;
    } else if (io->press) {
        memory.place = 0;
        if (before == 0 && io->key == 7) {
            memory.place = 1;
        }
        if (before == 1 && io->key == 2) {
            memory.place = 2;
        }
        if (before == 2 && io->key == 5) {
            memory.place = 3;
        }
    }
    io->place = memory.place;
    io->open = io->place == 3;
    io->wrong = !io->master && io->press && before < 3 && io->place == 0;
}
