static struct { bool before; bool earlier; } memory;

void reset(void)
{
    memory.before = false;
    memory.earlier = false;
}

void step(monitor_input *io)
{
    bool heat = memory.before;
    if (!io->on || io->door || io->temp >= 24) {
        heat = false;
    }
    if (io->on && !io->door && io->temp < 20) {
        heat = true;
    }
    io->heat = heat;
    io->alarm = io->temp > 90;
    io->lamp = io->heat || io->alarm;
    io->cold = io->temp < 5 && !io->door;
    io->fan = heat || memory.before || memory.earlier;
    memory.earlier = memory.before;
    memory.before = heat;
}
